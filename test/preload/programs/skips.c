// SPDX-License-Identifier: MIT
// Rank 2 leaves a call out, and the program never ends. `skips first|later|other|half N`: the first call on
// MPI_COMM_WORLD; the fourth; it broadcasts instead, which the library may find out and abort; the N-th on a
// communicator of ranks 2 and 3.
#include <unistd.h>

#include "check.h"

enum { skipping = 2 };

static int64_t mine = 1, sum;

static void scan(MPI_Comm comm) { MPI_Scan(&mine, &sum, 1, MPI_INT64_T, MPI_SUM, comm); }

static void wait_for_ever(void) {
  for (;;) sleep(1);
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  const char* way = argc > 1 ? argv[1] : "";
  if (strcmp(way, "first") == 0 && rank == skipping) wait_for_ever();
  for (int i = 0; i < 3; ++i) scan(MPI_COMM_WORLD);
  if (strcmp(way, "half") == 0) {
    MPI_Comm half;
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, 0, &half);
    for (int i = 1; i < atoi(argv[2]); ++i) scan(half);
    if (rank / 2 == 1 && rank != skipping) scan(half);
    wait_for_ever();
  }
  if (strcmp(way, "other") == 0 && rank == skipping) {
    sleep(1);  // the others are in their fourth call before this one can abort
    MPI_Bcast(&mine, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
  }
  if (strcmp(way, "later") == 0 && rank == skipping) wait_for_ever();
  scan(MPI_COMM_WORLD);
  scan(MPI_COMM_WORLD);
  wait_for_ever();
}
