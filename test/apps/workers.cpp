// SPDX-License-Identifier: MIT
// A master hands out pieces of work, one at a time, to any worker that asks.
#include "app.hpp"

namespace {

enum { work_tag, end_tag };

long worked(int piece) {
  unsigned state = piece;
  for (int i = 0; i < 20000; ++i) state = state * 1664525 + 1013904223;
  return state % 1000 + piece;
}

bool lead(int pieces) {
  const int workers = app::ranks() - 1;
  long total = 0, expected = 0, result;
  MPI_Status status;
  if (workers == 0) return true;
  for (int piece = 0, asked = 0; asked < pieces + workers; ++asked) {
    MPI_Recv(&result, 1, MPI_LONG, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    total += result;
    MPI_Send(&piece, 1, MPI_INT, status.MPI_SOURCE, piece < pieces ? work_tag : end_tag, MPI_COMM_WORLD);
    if (piece < pieces) ++piece;
  }
  for (int piece = 0; piece < pieces; ++piece) expected += worked(piece);
  return total == expected;
}

bool work() {
  for (long result = 0;;) {
    int piece;
    MPI_Status status;
    MPI_Send(&result, 1, MPI_LONG, 0, work_tag, MPI_COMM_WORLD);
    MPI_Recv(&piece, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    if (status.MPI_TAG == end_tag) return true;
    result = worked(piece);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int pieces = app::start(argc, argv, 2000);
  return app::end("workers", app::rank() == 0 ? lead(pieces) : work());
}
