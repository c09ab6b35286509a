// SPDX-License-Identifier: MIT
// Nothing at all as the first call on a communicator, in words that differ between ranks; and one element so large that
// it is a vector of its own, which an operator of the program gets as one, with the program's handle of its type.
#include "collectives.h"

enum { numbers = 100000 };  // in the large element

static MPI_Datatype large;
static int wrong_words;  // of the operator's arguments

static void add_large(void* in, void* inout, int* n, MPI_Datatype* type) {
  wrong_words += *type != large;
  for (int64_t i = 0; i < (int64_t)*n * numbers; ++i) ((int64_t*)inout)[i] += ((int64_t*)in)[i];
}

static void nothing_first(enum collective c) {
  MPI_Comm comm;
  MPI_Datatype empty;
  int64_t unused = 0;
  int from;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Type_contiguous(0, MPI_INT64_T, &empty);
  MPI_Type_commit(&empty);
  if (c != bcast) call_by(c, NULL, NULL, 0, 0, MPI_SUM, comm);
  if (c == bcast && rank % 2 == 0) MPI_Bcast(&unused, 3, empty, 0, comm);
  if (c == bcast && rank % 2 == 1) MPI_Bcast(NULL, 0, MPI_INT64_T, 0, comm);
  // Whoever waited for the others in that call would wait for ever.
  MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 1, &from, 1, MPI_INT, (rank + size - 1) % size, 1, comm,
               MPI_STATUS_IGNORE);
  for (int k = 0; k < 2 * collective_count; ++k)
    expect(is_right(k % collective_count, 5, size - 1, comm), "after nothing");
  MPI_Type_free(&empty);
  MPI_Comm_free(&comm);
}

static void one_large(enum collective c, MPI_Op add) {
  const int root = size - 1, receives = c == reduce ? rank == root : c != exscan || rank != 0;
  const size_t bytes = numbers * sizeof(int64_t);
  int64_t *mine = filled(bytes), *result = filled(bytes), *want = filled(bytes);
  for (int i = 0; i < numbers; ++i) {
    mine[i] = small(rank, i);
    if (receives) want[i] = wanted(c, rank, size, root, i);
    if (c == bcast && rank == root) result[i] = mine[i];
  }
  if (c == scan) MPI_Scan(mine, result, 1, large, add, MPI_COMM_WORLD);
  if (c == exscan) MPI_Exscan(mine, result, 1, large, add, MPI_COMM_WORLD);
  if (c == bcast) MPI_Bcast(result, 1, large, root, MPI_COMM_WORLD);
  if (c == reduce) MPI_Reduce(mine, result, 1, large, add, root, MPI_COMM_WORLD);
  expect_bytes(result, want, bytes, collective_names[c]);
  free(mine), free(result), free(want);
}

int main(int argc, char** argv) {
  MPI_Op add;
  start(&argc, &argv);
  for (int c = scan; c < collective_count; ++c) nothing_first(c);
  end_section("nothing first");
  MPI_Type_contiguous(numbers, MPI_INT64_T, &large);
  MPI_Type_commit(&large);
  MPI_Op_create(add_large, 1, &add);
  for (int c = scan; c < collective_count; ++c) one_large(c, add);
  expect(wrong_words == 0, "the operator was given another datatype");
  end_section("one large element");
  MPI_Op_free(&add);
  MPI_Type_free(&large);
  return finish();
}
