// SPDX-License-Identifier: MIT
// A call of zero length as the first on a communicator, in words that differ between ranks. Then one element so large
// that it is a vector of its own, which an operator of the program gets as one, with the program's handle of its type.
#include "check.h"

enum { numbers = 100000 };  // in the large element

static MPI_Datatype large;
static int wrong_words;  // of the operator's arguments

static void make_large(void* elements, int64_t n, int r, int64_t first) {
  small_sums.make(elements, n * numbers, r, first * numbers);
}

static void join_large(const void* lower, void* upper, int64_t n) { small_sums.join(lower, upper, n * numbers); }

static void add_large(void* in, void* inout, int* n, MPI_Datatype* type) {
  wrong_words += *type != large;
  join_large(in, inout, *n);
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

int main(int argc, char** argv) {
  MPI_Op add;
  start(&argc, &argv);
  skip_under_open_mpi("4.1.4 hangs natively");
  for (int c = 0; c < collective_count; ++c) nothing_first(c);
  end_section("nothing first");
  MPI_Type_contiguous(numbers, MPI_INT64_T, &large);
  MPI_Type_commit(&large);
  MPI_Op_create(add_large, 1, &add);
  const struct kind kind = {
      .type = large, .op = add, .size = numbers * sizeof(int64_t), .make = make_large, .join = join_large};
  for (int c = 0; c < collective_count; ++c)
    expect(try_on(&kind, plain_form, c, 1, size - 1, 0, MPI_COMM_WORLD) == right_result, collective_names[c]);
  expect(wrong_words == 0, "the operator was given another datatype");
  end_section("one large element");
  MPI_Op_free(&add);
  MPI_Type_free(&large);
  return finish();
}
