// SPDX-License-Identifier: MIT
// Calls that stay native on one rank, and then the same ones, by the handles alone, that no longer may: the other ranks
// would wait for its messages.
#include "check.h"

/// Wrong arguments of one rank are refused there, before anything is sent. The result buffer is always null. The input
/// is null as well for every other collective, and on ranks without a result.
static void mistakes_of_one_rank(MPI_Comm comm) {
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  const int64_t mine[3] = {1, 2, 3};
  for (enum collective c = 0; c < collective_count; ++c) {
    if (!has_input(c, 0, 0)) continue;  // without data no argument can be wrong
    const int64_t* const input = has_result(c, rank, 0) && c % 2 == 0 ? mine : NULL;
    if (rank == size - 1) expect(call_by(c, input, NULL, 3, 0, MPI_SUM, comm) != MPI_SUCCESS, "a null buffer is none");
    expect(is_right(c, 3, 0, comm), "after a mistake of one rank");
  }
}

/// Elements of no bytes, then ones of two integers: under the same handle on every rank but the last.
static void types_under_one_handle(MPI_Comm comm) {
  MPI_Datatype first, second, kept = MPI_DATATYPE_NULL;
  int64_t buffer[6] = {0};
  MPI_Type_contiguous(0, MPI_INT64_T, &first);
  MPI_Type_commit(&first);
  MPI_Bcast(buffer, 3, first, 0, comm);
  if (rank == size - 1)
    kept = first;
  else
    MPI_Type_free(&first);
  const MPI_Datatype before = first;
  MPI_Type_contiguous(2, MPI_INT64_T, &second);
  MPI_Type_commit(&second);
  expect(rank < size - 1 || second != before, "a handle given twice");
  if (rank == 0)
    for (int i = 0; i < 6; ++i) buffer[i] = small(0, i);
  MPI_Bcast(buffer, 3, second, 0, comm);
  for (int i = 0; i < 6; ++i) expect(buffer[i] == small(0, i), "a type under the handle of another");
  MPI_Type_free(&second);
  if (kept != MPI_DATATYPE_NULL) MPI_Type_free(&kept);
}

/// A communicator of one rank, then one of all: under the same handle on every rank but the last.
static void communicators_under_one_handle(void) {
  MPI_Comm alone, all, kept = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &alone);
  use_up_first_calls(alone);
  expect(all_are_right(3, 0, alone), "one rank");
  if (rank == size - 1)
    kept = alone;
  else
    MPI_Comm_free(&alone);
  MPI_Comm_dup(MPI_COMM_WORLD, &all);
  use_up_first_calls(all);
  expect(all_are_right(3, 0, all), "all ranks");
  MPI_Comm_free(&all);
  if (kept != MPI_COMM_NULL) MPI_Comm_free(&kept);
}

int main(int argc, char** argv) {
  MPI_Comm comm;
  start(&argc, &argv);
  skip_under_open_mpi("it crashes on arguments that MPICH refuses");
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  mistakes_of_one_rank(comm);
  end_section("mistakes of one rank at first");
  use_up_first_calls(comm);
  mistakes_of_one_rank(comm);
  end_section("mistakes of one rank");
  types_under_one_handle(comm);
  end_section("types");
  communicators_under_one_handle();
  end_section("communicators");
  MPI_Comm_free(&comm);
  return finish();
}
