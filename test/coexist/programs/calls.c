// SPDX-License-Identifier: MIT
// A known number of calls of each kind: 2 of the first collective of the table, 3 of the second, and so on; 6
// MPI_Alltoall and one MPI_Comm_dup. `calls CODE` ends with that exit code on rank 0 where
// all is right.
#include "../../preload/programs/check.h"

int main(int argc, char** argv) {
  MPI_Comm twin;
  start(&argc, &argv);
  for (int c = 0; c < collective_count; ++c)
    for (int k = 0; k < c + 2; ++k)
      expect(is_right((enum collective)c, k % 2 ? 700 : 1, k % size, MPI_COMM_WORLD), collective_names[c]);
  for (int k = 0; k < 6; ++k) {
    int all[64], theirs[64];
    for (int i = 0; i < size; ++i) all[i] = rank;
    MPI_Alltoall(all, 1, MPI_INT, theirs, 1, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < size; ++i) expect(theirs[i] == i, "alltoall");
  }
  MPI_Comm_dup(MPI_COMM_WORLD, &twin);
  MPI_Comm_free(&twin);
  end_section("collectives");
  finish();
  return exit_code == 0 && argc > 1 && rank == 0 ? atoi(argv[1]) : exit_code;
}
