// SPDX-License-Identifier: MIT
// Ranks that could run ahead of others: `ahead in_rounds|begins_first|root|slow_leaf CALLS`.
#include <sys/resource.h>
#include <unistd.h>

#include "check.h"

/// Rank 1 comes late; rank 0, which only sends, stays in the call until then.
static void prefix_sum(int count) {
  enum { late_us = 200000 };
  int64_t *mine = filled((size_t)count * sizeof *mine), *sums = filled((size_t)count * sizeof *sums);
  if (rank == 1) usleep(late_us);
  const double from = MPI_Wtime();
  MPI_Scan(mine, sums, count, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  expect(rank != 0 || MPI_Wtime() - from > late_us / 2e6, "rank 0 has left the call before rank 1 came");
  free(mine), free(sums);
}

/// A rank that receives nothing does not run ahead: its next message would share its link with messages that others
/// wait for.
SCENE(in_rounds) {
  enum { from_16_KiB = (16 << 10) / sizeof(int64_t) };
  int64_t one = 1, sum = 0;
  MPI_Scan(&one, &sum, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);  // the ranks agree, natively
  prefix_sum(from_16_KiB);
  prefix_sum(8 * from_16_KiB);
  end_section("in rounds");
}

/// A rank begins nonblocking calls of new kinds before the others, which only then hear of it.
SCENE(begins_first) {
  enum { told = 2, seconds = 20, kinds = 10 };
  alarm(seconds);
  for (int i = 0; i < kinds; ++i) expect(is_right(allreduce, 3, 0, MPI_COMM_WORLD), "collective");
  for (int n = 1; n <= kinds; ++n) {
    MPI_Request request;
    int64_t *mine = filled((size_t)n * 64), *sums = filled((size_t)n * 64);
    if (rank > 0) MPI_Recv(NULL, 0, MPI_BYTE, rank - 1, told, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Ireduce(mine, sums, 8 * n, MPI_INT64_T, MPI_SUM, 0, MPI_COMM_WORLD, &request);
    if (rank + 1 < size) MPI_Send(NULL, 0, MPI_BYTE, rank + 1, told, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    free(mine), free(sums);
    expect(is_right(reduce, 8 * n, 0, MPI_COMM_WORLD), "the same kind of call, blocking");
  }
  end_section("begins first");
}

/// A root that broadcasts little runs ahead of the others, as it does natively: they take part only when they hear,
/// from the root, that it is done. MPI does not promise that; programs are fast by it.
SCENE(root) {
  const int64_t calls = atol(scene_words[0]);
  enum { done = 1, seconds = 20 };
  alarm(seconds);  // if the root waited for the others, no rank would go on
  int64_t value = 0;
  MPI_Bcast(&value, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);  // sets up what they share
  if (rank > 0) MPI_Recv(NULL, 0, MPI_BYTE, 0, done, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int64_t i = 0; i < calls; ++i) {
    value = rank == 0 ? i : -1;
    MPI_Bcast(&value, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
    expect(value == i, "value");
  }
  for (int to = 1; rank == 0 && to < size; ++to) MPI_Send(NULL, 0, MPI_BYTE, to, done, MPI_COMM_WORLD);
  end_section("runs ahead");
}

static long most_memory(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;  // kilobytes
}

static void one_call(enum collective c, int root, int64_t i) {
  int64_t mine = small(rank, i), result = input_in_result(c, rank, root) ? mine : 0;
  call_by(c, &mine, &result, 1, root, MPI_SUM, MPI_COMM_WORLD);
  expect(result == wanted(c, rank, size, root, i), collective_names[c]);
}

/// The last rank falls behind while the others call on. The memory for messages that wait for it stays bounded, whether
/// it sleeps or MPI takes in messages for later calls. It is the root if only a root has a result; otherwise rank 0 is.
static void fall_behind_in(enum collective c, int64_t calls) {
  enum { pauses = 4, pause_us = 100000, most_kilobytes = 2 << 10 };
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

SCENE(slow_leaf) {
  for (enum collective c = 0; c < collective_count; ++c) fall_behind_in(c, atol(scene_words[0]));
}

int main(int argc, char** argv) { return play_by(argc, argv); }
