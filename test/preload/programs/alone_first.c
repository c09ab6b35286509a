// SPDX-License-Identifier: MIT
// Calls on communicators of one rank, then on all ranks: the library must tell in the latter all that it has to tell.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, one = 1, alone = 0, before = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < 5; ++i) MPI_Scan(&one, &alone, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);  // not only first calls
  MPI_Exscan(&one, &before, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  const int wrong = alone != 1 || (rank > 0 && before != rank);
  if (wrong) printf("WRONG: rank %d has %d and %d\n", rank, alone, before);
  if (rank == size - 1) printf("%d ranks\n", before + 1);
  MPI_Finalize();
  return wrong;
}
