// SPDX-License-Identifier: MIT
// Intercommunicators between the lower and the upper half of the ranks, and the communicator of both halves
// merged.
#include "check.h"

static int upper;

/// Sends from rank 0 of the lower half to the upper one, then the sum of the upper half back.
static void there_and_back(int n, MPI_Comm inter) {
  const int root = upper ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
  int64_t *data = filled((size_t)n * sizeof *data), *sum = filled((size_t)n * sizeof *sum), *want;
  want = filled((size_t)n * sizeof *want);
  for (int i = 0; i < n; ++i) {
    want[i] = rank == 0 ? 0 : sum[i];
    for (int r = size / 2; rank == 0 && r < size; ++r) want[i] += small(0, i) + r;
    if (rank == 0) data[i] = small(0, i);
  }
  MPI_Bcast(data, n, MPI_INT64_T, root, inter);
  for (int i = 0; upper && i < n; ++i) {
    expect(data[i] == small(0, i), "broadcast to the other half");
    data[i] += rank;
  }
  MPI_Reduce(data, sum, n, MPI_INT64_T, MPI_SUM, root, inter);
  expect_bytes(sum, want, (size_t)n * sizeof *sum, "sum of the other half");
  free(data), free(sum), free(want);
}

int main(int argc, char** argv) {
  MPI_Comm half, inter, all;
  start(&argc, &argv);
  skip_under_open_mpi("4.1.4 crashes natively");
  upper = rank >= size / 2;
  MPI_Comm_split(MPI_COMM_WORLD, upper, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, upper ? 0 : size / 2, 1, &inter);
  for (int n = 1; n <= 10000; n *= 100) there_and_back(n, inter);
  end_section("between the halves");
  MPI_Intercomm_merge(inter, !upper, &all);
  use_up_first_calls(all);
  expect(all_are_right(9, size - 1, all), "the merged communicator");
  end_section("merged");
  MPI_Comm_free(&all);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
  return finish();
}
