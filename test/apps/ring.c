// SPDX-License-Identifier: MIT
// A token goes round: one message at a time, while all other ranks wait.
#include "app.h"

int main(int argc, char** argv) {
  const int rounds = start(&argc, &argv, 200);
  int token = 0;
  const int before = (rank + size - 1) % size, after = (rank + 1) % size;
  for (int i = 0; i < rounds && size > 1; ++i) {
    if (rank > 0) MPI_Recv(&token, 1, MPI_INT, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    ++token;
    MPI_Send(&token, 1, MPI_INT, after, 0, MPI_COMM_WORLD);
    if (rank == 0) MPI_Recv(&token, 1, MPI_INT, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  return end("ring", size == 1 || rank > 0 || token == rounds * size);
}
