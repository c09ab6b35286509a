// SPDX-License-Identifier: MIT
// A token goes round: one message at a time, while all other ranks wait.
#include "app.hpp"

int main(int argc, char** argv) {
  const int rounds = app::start(argc, argv, 200), rank = app::rank(), size = app::ranks();
  const int before = (rank + size - 1) % size, after = (rank + 1) % size;
  int token = 0;
  for (int i = 0; i < rounds && size > 1; ++i) {
    if (rank > 0) MPI_Recv(&token, 1, MPI_INT, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    ++token;
    MPI_Send(&token, 1, MPI_INT, after, 0, MPI_COMM_WORLD);
    if (rank == 0) MPI_Recv(&token, 1, MPI_INT, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  return app::end("ring", size == 1 || rank > 0 || token == rounds * size);
}
