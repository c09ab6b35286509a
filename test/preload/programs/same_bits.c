// SPDX-License-Identifier: MIT
// Sums of floating point numbers that no order leaves alike: the same call gives the same bits 100 times, whichever
// rank is late.
#include <unistd.h>

#include "check.h"

enum { calls = 100, numbers = 33 };

/// A number of any magnitude from 2^-32 to 2^31, with either sign.
static double number(int r, int i) {
  const uint64_t v = value(r, i);
  const double fraction = 1 + (double)(v >> 12) / (double)(UINT64_C(1) << 52);
  const int power = (int)(v % 64) - 32;
  const double scale = power < 0 ? 1.0 / (double)(UINT64_C(1) << -power) : (double)(UINT64_C(1) << power);
  return (v >> 6) % 2 ? fraction * scale : -fraction * scale;
}

static void sum(enum collective c, double* mine, double* result) {
  memset(result, 0, numbers * sizeof *result);
  call_with(c, plain_form, &(struct arguments){mine, result, numbers, MPI_DOUBLE, MPI_SUM, size / 2, MPI_COMM_WORLD});
}

static void repeat(enum collective c) {
  double mine[numbers], first[numbers], again[numbers];
  for (int i = 0; i < numbers; ++i) mine[i] = number(rank, i);
  sum(c, mine, first);
  expect_bytes(first, first, sizeof first, "");  // into the checksum of all ranks
  for (int k = 1; k < calls; ++k) {
    if (k % 10 == 0 && k / 10 % size == rank) usleep(2000);
    sum(c, mine, again);
    expect(memcmp(first, again, sizeof first) == 0, "other bits");
  }
  end_section(collective_names[c]);
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  for (int c = 0; c < collective_count; ++c)
    if (facts_of(c).combines) repeat(c);
  return finish();
}
