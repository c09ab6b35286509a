// SPDX-License-Identifier: MIT
// Lengths that are none, very long, or not alike: `lengths SCENE`.
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
  MPI_Datatype empty = contiguous_type(0, MPI_INT64_T);
  int64_t unused = 0;
  int from;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
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

/// A call of zero length as the first on a communicator, in words that differ between ranks. Then one element so large
/// that it is a vector of its own, which an operator of the program gets as one, with the program's handle of its type.
SCENE(corner_lengths) {
  MPI_Op add;
  skip_under_open_mpi("4.1.4 hangs natively");
  for (int c = 0; c < collective_count; ++c) nothing_first(c);
  end_section("nothing first");
  large = contiguous_type(numbers, MPI_INT64_T);
  MPI_Op_create(add_large, 1, &add);
  const struct kind kind = {
      .type = large, .op = add, .size = numbers * sizeof(int64_t), .make = make_large, .join = join_large};
  for (int c = 0; c < collective_count; ++c)
    expect(try_on(&kind, plain_form, c, 1, size - 1, 0, MPI_COMM_WORLD) == right_result, collective_names[c]);
  expect(wrong_words == 0, "the operator was given another datatype");
  end_section("one large element");
  MPI_Op_free(&add);
  MPI_Type_free(&large);
}

static void disagree(enum collective c, int longer_rank) {
  int64_t mine[8] = {0}, result[8] = {0};
  int classes[2] = {MPI_SUCCESS, MPI_SUCCESS};
  MPI_Comm comm = grafted_duplicate();
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  const int class = class_of(call_by(c, mine, result, rank == longer_rank ? 8 : 5, 0, MPI_SUM, comm));
  MPI_Send(&class, 1, MPI_INT, 0, c, MPI_COMM_WORLD);
  for (int r = 0; rank == 0 && r < 2; ++r) MPI_Recv(&classes[r], 1, MPI_INT, r, c, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 0) {
    expect(classes[0] == MPI_ERR_TRUNCATE || classes[1] == MPI_ERR_TRUNCATE, "nobody got MPI_ERR_TRUNCATE");
    for (int r = 0; r < 2; ++r) expect(classes[r] == MPI_SUCCESS || classes[r] == MPI_ERR_TRUNCATE, "another error");
  }
  MPI_Comm_free(&comm);
}

/// Ranks that disagree about the length of a call, an error of theirs: it is reported as such, on one rank at least,
/// and nobody waits for ever.
SCENE(unequal_lengths) {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (int c = 0; c < collective_count; ++c) {
    for (int longer_rank = 0; longer_rank < 2 && has_input(c, 0, 0); ++longer_rank) disagree(c, longer_rank);
    end_section(collective_names[c]);
  }
}

/// They do so in one call, whose error ends the program.
SCENE(unequal_lengths_fatal) {
  int64_t mine[8] = {0}, result[8];
  use_up_first_calls(MPI_COMM_WORLD);
  call_by(allreduce, mine, result, rank == 1 ? 8 : 5, 0, MPI_SUM, MPI_COMM_WORLD);
}

SCENE(unequal_lengths_nonblocking) {
  set_up(MPI_COMM_WORLD);
  checked_form = nonblocking_form;
  unequal_lengths_fatal();
}

static const int64_t length = (INT64_C(1) << 31) + 16;

static unsigned char byte(int r, int64_t i) { return (unsigned char)(i ^ i >> 8 ^ i >> 16 ^ i >> 24 ^ r * 29); }

/// 2^31 + 16 bytes, and as many elements: three GiB a rank.
SCENE(above_int_max) {
  unsigned char* bytes = filled((size_t)length);
  const int root = size - 1;
  int64_t wrong = 0;
  for (int64_t i = 0; rank == root && i < length; ++i) bytes[i] = byte(root, i);
  MPI_Bcast_c(bytes, length, MPI_UNSIGNED_CHAR, root, MPI_COMM_WORLD);
  for (int64_t i = 0; i < length; ++i) wrong += bytes[i] != byte(root, i);
  expect(wrong == 0, "broadcast");
  for (int64_t i = 0; i < length; ++i) bytes[i] = byte(rank, i);
  MPI_Scan_c(MPI_IN_PLACE, bytes, length, MPI_UNSIGNED_CHAR, MPI_BXOR, MPI_COMM_WORLD);
  for (int64_t i = 0; i < length; ++i) {
    unsigned char want = 0;
    for (int r = 0; r <= rank; ++r) want ^= byte(r, i);
    wrong += bytes[i] != want;
  }
  expect(wrong == 0, "scan");
  end_section("2^31 + 16 bytes");
  free(bytes);
}

int main(int argc, char** argv) { return play_by(argc, argv); }
