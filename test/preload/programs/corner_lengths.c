// SPDX-License-Identifier: MIT
// A call of zero length as the first on a communicator, in words that differ between ranks. Then one element so large
// that it is a vector of its own, which an operator of the program gets as one, with the program's handle of its type.
#include "../../checked_call.h"
#include "check.h"

enum { numbers = 100000 };  // in the large element

static MPI_Datatype large;
static int wrong_words;  // of the operator's arguments

static void add_large(void* in, void* inout, int* n, MPI_Datatype* type) {
  wrong_words += *type != large;
  small_sums.join(in, inout, (int64_t)*n * numbers);
}

static void nothing_first(enum collective c) {
  MPI_Comm comm;
  MPI_Datatype empty;
  int64_t unused = 0;
  int from;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Type_contiguous(0, MPI_INT64_T, &empty);
  MPI_Type_commit(&empty);
  const struct arguments no_elements = {NULL, NULL, 0, MPI_INT64_T, MPI_SUM, 0, comm};
  const struct arguments no_bytes = {&unused, &unused, 3, empty, MPI_OP_NULL, 0, comm};
  // not in gathers: a rank of MPICH without elements leaves at once, one with elements of no bytes waits for it
  call_with(c, plain_form, rank % 2 == 0 && facts_of(c).one_buffer ? &no_bytes : &no_elements);
  // A rank that waited for the others in that call would wait for ever.
  MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 1, &from, 1, MPI_INT, (rank + size - 1) % size, 1, comm,
               MPI_STATUS_IGNORE);
  for (int k = 0; k < 2 * collective_count; ++k)
    expect(is_right(k % collective_count, 5, size - 1, comm), "after nothing");
  MPI_Type_free(&empty);
  MPI_Comm_free(&comm);
}

static void one_large(enum collective c, MPI_Op add) {
  const int root = size - 1;
  const size_t bytes = numbers * sizeof(int64_t);
  int64_t *mine = filled(bytes), *result = filled(bytes), *want = filled(bytes);
  const struct ranks sources = sources_of_one(c, rank, size, root);
  small_sums.make(mine, numbers, rank, 0);
  if (input_in_result(c, rank, root)) memcpy(result, mine, bytes);
  if (sources.lo < sources.hi) combine_ranks(&small_sums, sources.lo, sources.hi, 0, numbers, want);
  call_with(c, plain_form, &(struct arguments){mine, result, 1, large, add, root, MPI_COMM_WORLD});
  expect_bytes(result, want, bytes, collective_names[c]);
  free(mine), free(result), free(want);
}

int main(int argc, char** argv) {
  MPI_Op add;
  start(&argc, &argv);
  skip_under_open_mpi("4.1.4 hangs natively");
  for (int c = 0; c < collective_count; ++c) nothing_first(c);
  end_section("nothing first");
  MPI_Type_contiguous(numbers, MPI_INT64_T, &large);
  MPI_Type_commit(&large);
  MPI_Op_create(add_large, 1, &add);
  for (int c = 0; c < collective_count; ++c) one_large(c, add);
  expect(wrong_words == 0, "the operator was given another datatype");
  end_section("one large element");
  MPI_Op_free(&add);
  MPI_Type_free(&large);
  return finish();
}
