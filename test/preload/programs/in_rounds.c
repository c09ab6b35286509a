// SPDX-License-Identifier: MIT
// A rank that receives nothing does not run ahead: its next message would share its link with messages that others wait
// for.
#include <unistd.h>

#include "check.h"

enum { from_16_KiB = (16 << 10) / sizeof(int64_t), most = 8 * from_16_KiB, late_us = 200000 };

/// Rank 1 comes late; rank 0, which only sends, stays in the call until then.
static void prefix_sum(int count) {
  static int64_t mine[most], sums[most];
  if (rank == 1) usleep(late_us);
  const double from = MPI_Wtime();
  MPI_Scan(mine, sums, count, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  expect(rank != 0 || MPI_Wtime() - from > late_us / 2e6, "rank 0 has left the call before rank 1 came");
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  int64_t one = 1, sum = 0;
  MPI_Scan(&one, &sum, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);  // the ranks agree, natively
  prefix_sum(from_16_KiB);
  prefix_sum(most);
  end_section("in rounds");
  return finish();
}
