// SPDX-License-Identifier: MIT
// A master hands out pieces of work, one at a time, to any worker that asks.
#include "app.h"

enum { work_tag, end_tag };

static long worked(int piece) {
  unsigned state = piece;
  for (int i = 0; i < 20000; ++i) state = state * 1664525 + 1013904223;
  return state % 1000 + piece;
}

static int lead(int pieces) {
  long total = 0, expected = 0, result;
  MPI_Status status;
  if (size == 1) return 1;
  for (int piece = 0, asked = 0; asked < pieces + size - 1; ++asked) {
    MPI_Recv(&result, 1, MPI_LONG, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    total += result;
    MPI_Send(&piece, 1, MPI_INT, status.MPI_SOURCE, piece < pieces ? work_tag : end_tag, MPI_COMM_WORLD);
    if (piece < pieces) ++piece;
  }
  for (int piece = 0; piece < pieces; ++piece) expected += worked(piece);
  return total == expected;
}

static int work(void) {
  long result = 0;
  for (;;) {
    int piece;
    MPI_Status status;
    MPI_Send(&result, 1, MPI_LONG, 0, work_tag, MPI_COMM_WORLD);
    MPI_Recv(&piece, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    if (status.MPI_TAG == end_tag) return 1;
    result = worked(piece);
  }
}

int main(int argc, char** argv) {
  const int pieces = start(&argc, &argv, 2000);
  return end("workers", rank == 0 ? lead(pieces) : work());
}
