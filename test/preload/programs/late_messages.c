// SPDX-License-Identifier: MIT
// Messages alone, and no collective: rank 0 is late each time, and all others wait for it in one blocking call. The
// argument says how they shall wait: "sleeps" or "spins". A rank that sleeps gives the core away of its own accord
// again and again.
#define _GNU_SOURCE
#include <sys/resource.h>
#include <unistd.h>

#include "check.h"

enum { late_us = 60000, fewest_sleeps = 30, most_switches = 10, call_count = 7 };

static const char* const calls[call_count] = {"MPI_Recv",  "MPI_Wait",     "MPI_Waitall", "MPI_Probe",
                                              "MPI_Ssend", "MPI_Sendrecv", "MPI_Mprobe"};

static long switches(void) {
  struct rusage usage;
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nvcsw;
}

/// Returns how often the call gave the core away.
static long wait_in(int call) {
  int word = 0, ours = rank;
  MPI_Request request;
  MPI_Message message;
  MPI_Status status;
  if (call == 1 || call == 2) MPI_Irecv(&word, 1, MPI_INT, 0, call, MPI_COMM_WORLD, &request);
  const long before = switches();
  if (call == 0) MPI_Recv(&word, 1, MPI_INT, 0, call, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (call == 1) MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (call == 2) MPI_Waitall(1, &request, &status);
  if (call == 3) MPI_Probe(0, call, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (call == 4) MPI_Ssend(&ours, 1, MPI_INT, 0, call, MPI_COMM_WORLD);
  if (call == 5)
    MPI_Sendrecv(&ours, 1, MPI_INT, 0, call, &word, 1, MPI_INT, 0, call, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (call == 6) MPI_Mprobe(0, call, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
  const long sleeps = switches() - before;
  if (call == 3) MPI_Recv(&word, 1, MPI_INT, 0, call, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (call == 6) MPI_Mrecv(&word, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
  expect(call == 4 || word == 100 + call, "a message");
  return sleeps;
}

static void come_late_to(int call) {
  const int word = 100 + call;
  int theirs;
  usleep(late_us);
  for (int r = 1; r < size; ++r) {
    if (call != 4) MPI_Send(&word, 1, MPI_INT, r, call, MPI_COMM_WORLD);
    if (call == 4 || call == 5) MPI_Recv(&theirs, 1, MPI_INT, r, call, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  const int sleeps = argc < 2 || strcmp(argv[1], "spins") != 0;
  for (int call = 0; call < call_count; ++call) {
    long made = 0;
    if (rank == 0)
      come_late_to(call);
    else
      made = wait_in(call);
    if (rank != 0 && (sleeps ? made < fewest_sleeps : made > most_switches))
      fprintf(stderr, "%s gave the core away %ld times\n", calls[call], made), expect(0, calls[call]);
    end_section(calls[call]);
  }
  return finish();
}
