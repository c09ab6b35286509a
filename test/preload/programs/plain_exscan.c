// SPDX-License-Identifier: MIT
// The smallest use: 1000 exclusive prefix sums of 8 bytes.
#include "check.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  for (int64_t i = 0; i < 1000; ++i) {
    const int64_t mine = i + rank;
    int64_t sum = 0;
    const int64_t want = i * rank + (int64_t)rank * (rank - 1) / 2;  // rank 0 keeps its 0
    MPI_Exscan(&mine, &sum, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    expect_bytes(&sum, &want, sizeof sum, "exscan");
  }
  end_section("1000 exclusive prefix sums");
  return finish();
}
