// SPDX-License-Identifier: MIT
// One rank falls behind while the others call on, `slow_leaf CALLS` times each collective. The memory for messages that
// wait for it stays bounded, whether it sleeps or MPI takes in messages for later calls.
#include <sys/resource.h>
#include <unistd.h>

#include "check.h"

enum { pauses = 4, pause_us = 100000, most_kilobytes = 2 << 10 };

static long most_memory(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;  // kilobytes
}

static void one_call(enum collective c, int root, int64_t i) {
  int64_t mine = small(rank, i), result = input_in_result(c, rank, root) ? mine : 0;
  call_by(c, &mine, &result, 1, root, MPI_SUM, MPI_COMM_WORLD);
  const int64_t want = wanted(c, rank, size, root, i);
  expect(result == want, collective_names[c]);
}

/// The last rank pauses. It is the root if only a root has a result; otherwise rank 0 is the root.
static void hurry(enum collective c, int64_t calls) {
  const int slow = size - 1, root = has_result(c, slow, 0) ? 0 : slow;
  one_call(c, root, 0);  // the set-up, which happens once, is no growth
  const long before = most_memory();
  for (int64_t i = 0, pause = 0; i < calls; ++i) {
    if (i == pause * calls / pauses && rank == slow) ++pause % 2 ? fall_behind(pause_us / 1e6) : (void)usleep(pause_us);
    one_call(c, root, i);
  }
  const long growth = most_memory() - before;
  if (growth > most_kilobytes) fprintf(stderr, "rank %d: memory grew by %ld KiB\n", rank, growth);
  expect(growth <= most_kilobytes, "memory");
  end_section(collective_names[c]);
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  if (argc != 2) exit(2);
  for (int c = 0; c < collective_count; ++c) hurry((enum collective)c, atol(argv[1]));
  return finish();
}
