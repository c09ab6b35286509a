// SPDX-License-Identifier: MIT
// The smallest use: 1000 exclusive prefix sums of 8 bytes. plain_exscan [CALLS | alone-first]: as many, or after calls
// on communicators of one rank, and not only first ones.
#include "check.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  const int calls = argc > 1 && atoi(argv[1]) > 0 ? atoi(argv[1]) : 1000;
  const int64_t one = 1;
  int64_t alone = 1;
  for (int i = 0; i < 5 && argc > 1 && strcmp(argv[1], "alone-first") == 0; ++i)
    MPI_Scan(&one, &alone, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_SELF);
  expect(alone == 1, "scan on one rank");
  for (int64_t i = 0; i < calls; ++i) {
    const int64_t mine = i + rank;
    int64_t sum = 0;
    const int64_t want = i * rank + (int64_t)rank * (rank - 1) / 2;  // rank 0 keeps its 0
    MPI_Exscan(&mine, &sum, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    expect_bytes(&sum, &want, sizeof sum, "exscan");
  }
  char title[60];
  snprintf(title, sizeof title, "%d exclusive prefix sums", calls);
  end_section(title);
  return finish();
}
