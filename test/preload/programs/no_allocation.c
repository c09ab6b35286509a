// SPDX-License-Identifier: MIT
// Once a communicator has seen calls like them, grafted calls allocate nothing, also after a rank had no memory for a
// while. The first calls must show that this program can count.
#define _GNU_SOURCE
#include "allocations.h"
#include "check.h"

enum { warm_ups = 2, calls = 70 };  // more than lie between two barriers

static long allocations;
static int is_short;  // allocations fail

static int refuses(size_t bytes) { return (void)bytes, ++allocations, is_short; }

/// Allocations under `times` calls.
static long in_calls(enum collective c, int times, const int64_t* mine, int64_t* result, int n, MPI_Comm comm) {
  allocations = 0;
  looks_at_allocations = 1;
  for (int i = 0; i < times; ++i) call_by(c, mine, result, n, 0, MPI_SUM, comm);
  looks_at_allocations = 0;
  return allocations;
}

static void measure(enum collective c, int n) {
  MPI_Comm comm = grafted_duplicate();
  int64_t* mine = (int64_t*)filled((size_t)n * sizeof *mine);
  int64_t* result = (int64_t*)filled((size_t)n * sizeof *result);
  expect(in_calls(c, warm_ups, mine, result, n, comm) > 0, "no allocation by the first calls");
  const long later = in_calls(c, calls, mine, result, n, comm);
  if (later != 0) fprintf(stderr, "rank %d: %s of %d: %ld allocations\n", rank, collective_names[c], n, later);
  expect(later == 0, "allocations");
  free(mine), free(result);
  MPI_Comm_free(&comm);
}

/// Calls by counts ask for their schedules each time.
static void measure_after_shortage(void) {
  int64_t mine[40] = {1}, result[40];
  in_calls(reduce_scatter, warm_ups, mine, result, 40, MPI_COMM_WORLD);
  looks_at_allocations = 1, is_short = rank == 0;
  call_by(reduce, mine, result, 40, 1, MPI_SUM, MPI_COMM_WORLD);
  looks_at_allocations = is_short = 0;
  in_calls(reduce_scatter, warm_ups, mine, result, 40, MPI_COMM_WORLD);
  expect(in_calls(reduce_scatter, calls, mine, result, 40, MPI_COMM_WORLD) == 0, "allocations after a shortage");
  end_section("after a shortage");
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  for (int c = 0; c < collective_count; ++c) {
    for (int n = 1; n <= 1 << 20; n *= 32) measure((enum collective)c, n);
    end_section(collective_names[c]);
  }
  measure_after_shortage();
  return finish();
}
