// SPDX-License-Identifier: MIT
// Prints the longest vector to which a user's operator is applied in a reduction of 4096 elements. It depends on how
// the reduction cuts the vector, so native and preloaded runs differ.
#include "check.h"

enum { elements = 4096 };

static int longest = 0;

static void add(void* in, void* inout, int* count, MPI_Datatype* type) {
  add_integers(in, inout, count, type);
  if (*count > longest) longest = *count;
}

int main(int argc, char** argv) {
  static int64_t mine[elements], sum[elements], want[elements];
  MPI_Op op;
  start(&argc, &argv);
  MPI_Op_create(add, 1, &op);
  for (int64_t i = 0; i < elements; ++i) {
    mine[i] = i + rank;
    want[i] = i * size + (int64_t)size * (size - 1) / 2;
  }
  MPI_Reduce(mine, sum, elements, MPI_INT64_T, op, 0, MPI_COMM_WORLD);
  if (rank == 0) expect_bytes(sum, want, sizeof sum, "reduce");
  MPI_Op_free(&op);
  if (rank == 0) printf("longest %d\n", longest);
  end_section("a reduction");
  return finish();
}
