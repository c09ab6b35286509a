// SPDX-License-Identifier: MIT
// A root that broadcasts without pause and a rank that falls asleep: what waits for the sleeper stays bounded.
#include <sys/resource.h>
#include <unistd.h>

#include "check.h"

enum { calls = 100000, calls_between_naps = 20000, nap_us = 200000, most_kilobytes = 64 << 10 };

static long most_memory(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;  // kilobytes
}

int main(int argc, char** argv) {
  int wrong = 0;
  start(&argc, &argv);
  const long before = most_memory();
  for (int64_t i = 0; i < calls; ++i) {
    int64_t number = rank == 0 ? i : -1;
    if (rank == size - 1 && i % calls_between_naps == 0) usleep(nap_us);
    MPI_Bcast(&number, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
    wrong += number != i;
  }
  expect(wrong == 0, "broadcast");
  expect(most_memory() - before <= most_kilobytes, "memory grew by more than 64 MB");
  end_section("100000 broadcasts to a slow rank");
  return finish();
}
