// SPDX-License-Identifier: MIT
// Calls whose counts, times or memory are known: `measured late|sites|halves|between|sets_up|crowded|saves|maxima|
// faults|finalizes|exits|leaves|aborts|counts_nothing|alone`, and `measured meets FOLDER`, which ends when there is
// FOLDER/go.
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include "check.h"

enum { calls = 20, many = 3000, some = 500, few = 2, late_us = 5000 };

static int64_t mine = 1, sums, top;

static void prefix_sum(MPI_Comm comm) { MPI_Scan(&mine, &sums, 1, MPI_INT64_T, MPI_SUM, comm); }

/// Rank 1 comes late to every call, so that all others wait in it.
SCENE(late) {
  for (int i = 0; i < calls; ++i) {
    if (rank == 1) usleep(late_us);
    prefix_sum(MPI_COMM_WORLD);
  }
}

/// Calls from three places, of which two are each a rank's own.
SCENE(sites) {
  for (int i = 0; i < calls; ++i) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
      MPI_Bcast(&top, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
    else
      MPI_Bcast(&sums, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
  }
}

/// Collectives only in halves of the job.
SCENE(halves) {
  MPI_Comm half;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  for (int i = 0; i < calls; ++i) prefix_sum(half);
  MPI_Comm_free(&half);
}

/// Calls of no data on a young communicator and on MPI_COMM_WORLD; two halves of the job, and what is between them.
SCENE(between) {
  MPI_Comm half, both, young;
  MPI_Comm_dup(MPI_COMM_WORLD, &young);
  MPI_Scan(&mine, &sums, 0, MPI_INT64_T, MPI_SUM, young);
  MPI_Comm_free(&young);
  MPI_Scan(&mine, &sums, 0, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 0, &both);
  for (int i = 0; i < few; ++i) MPI_Barrier(half);
  for (int i = 0; i < calls; ++i) MPI_Barrier(both);
  MPI_Comm_free(&both);
  MPI_Comm_free(&half);
  prefix_sum(MPI_COMM_SELF);
}

static void scans(MPI_Comm comm, int count) {
  for (int i = 0; i < count; ++i) prefix_sum(comm);
  MPI_Comm_free(&comm);
}

/// Communicators with many calls (the world, to which rank 1 comes late, and a duplicate) and with few: three
/// duplicates, halves of the job, and one of a single rank.
SCENE(sets_up) {
  MPI_Comm comm;
  if (rank == 1) usleep(late_us);
  prefix_sum(MPI_COMM_WORLD);
  for (int i = 0; i < 4; ++i) {
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    scans(comm, i == 0 ? many : few);
  }
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &comm);
  scans(comm, few);
  MPI_Comm_dup(MPI_COMM_SELF, &comm);
  scans(comm, many);
}

/// Calls on the halves of the job after one of all ranks. Says whether this MPI spins in calls where ranks outnumber
/// cores.
SCENE(crowded) {
  MPI_Comm half;
  prefix_sum(MPI_COMM_WORLD);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  scans(half, calls);
#if defined MPICH_NUMVERSION && MPICH_NUMVERSION < 50000000
  end_section("spins");
#endif
}

/// Ten communicators with some calls that live at the same time, then ten that live one after the other.
SCENE(saves) {
  MPI_Comm comms[10];
  prefix_sum(MPI_COMM_WORLD);
  for (int i = 0; i < 10; ++i) {
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    for (int call = 0; call < some; ++call) prefix_sum(comms[i]);
  }
  for (int i = 0; i < 10; ++i) MPI_Comm_free(&comms[i]);
  for (int i = 0; i < 10; ++i) {
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    scans(comms[i], some);
  }
}

/// Prefix sums, and their maxima.
SCENE(maxima) {
  for (int i = 0; i < calls; ++i) {
    prefix_sum(MPI_COMM_WORLD);
    MPI_Reduce(&sums, &top, 1, MPI_INT64_T, MPI_MAX, 0, MPI_COMM_WORLD);
  }
}

static long first_touched(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

/// How many pages a large reduction touches for the first time, when it is not the first one.
SCENE(faults) {
  enum { elements = 1 << 20, reductions = 8 };
  mallopt(M_MMAP_THRESHOLD, 1 << 20);  // a large block that is freed goes back to the system, in every C library
  long *in = calloc(elements, sizeof *in), *out = calloc(elements, sizeof *out), before = 0;
  for (int i = -2; i < reductions; ++i) {
    if (i == 0) before = first_touched();
    MPI_Reduce(in, out, elements, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  }
  if (rank == 0) printf("faults %ld\n", (first_touched() - before) / reductions);
  free(in), free(out);
}

/// Several jobs that run at the same time.
SCENE(meets) {
  const char* const folder = scene_words[0];
  char name[4096];
  prefix_sum(MPI_COMM_WORLD);
  if (rank == 0) {
    snprintf(name, sizeof name, "%s/begun-%ld", folder, (long)getpid());
    fclose(fopen(name, "w"));
    snprintf(name, sizeof name, "%s/go", folder);
    while (access(name, F_OK) != 0) usleep(1000);
  }
  prefix_sum(MPI_COMM_WORLD);
}

SCENE(counts_nothing) {}

SCENE(alone) { prefix_sum(MPI_COMM_SELF); }

SCENE(finalizes) { prefix_sum(MPI_COMM_WORLD); }

SCENE(exits) {
  prefix_sum(MPI_COMM_WORLD);
  exit(0);
}

SCENE(leaves) {
  prefix_sum(MPI_COMM_WORLD);
  if (rank != 1) return;
  sleep(1);  // the others are in MPI_Finalize
  _exit(4);
}

SCENE(aborts) {
  prefix_sum(MPI_COMM_WORLD);
  if (rank != 1) return;
  sleep(1);
  MPI_Abort(MPI_COMM_WORLD, 5);
  for (;;) pause();  // MPI_Abort may return before the launcher ends the job
}

int main(int argc, char** argv) { return play_by(argc, argv); }
