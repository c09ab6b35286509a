// SPDX-License-Identifier: MIT
// Types and operators that are freed and made anew. MPI gives their handles again, so that calls with the same
// arguments come to mean something else.
#include "check.h"

enum { rounds = 60, repeats = 30, elements = 5, longest = 64 };

/// Two elements of round `round`: one after the other, with holes, or longer.
static MPI_Datatype type_of(int round) {
  MPI_Datatype type;
  if (round % 3 != 1) return contiguous_type(2 + round % 3, MPI_INT);
  MPI_Type_vector(2, 1, 3, MPI_INT, &type);
  MPI_Type_commit(&type);
  return type;
}

/// True if int `i` of a buffer belongs to its elements.
static int is_data(int round, int i) {
  const int extent = round % 3 == 1 ? 4 : 2 + round % 3;
  return i < 2 * extent && (round % 3 != 1 || i % extent == 0 || i % extent == 3);
}

static void broadcast(int round) {
  int buffer[longest], root = round / 3 % size;
  MPI_Datatype type = type_of(round);
  for (int i = 0; i < longest; ++i) buffer[i] = rank == root ? 1000 * round + i : -1;
  for (int again = 0; again < repeats; ++again) MPI_Bcast(buffer, 2, type, root, MPI_COMM_WORLD);
  for (int i = 0; i < longest; ++i)
    expect(buffer[i] == (rank == root || is_data(round, i) ? 1000 * round + i : -1), "broadcast");
  if (round % 2 == 0)
    MPI_Type_free(&type);
  else
    PMPI_Type_free(&type);
}

USER_FUNCTION(add, join_uint64_t_SUM)
USER_FUNCTION(compose, join_uint64_t_affine)

/// The operator commutes in every other round, in which its handle is the same.
static void reduction(int round) {
  struct kind kind = user_kind(MPI_UINT64_T, round % 2 == 0);
  kind.type = contiguous_type(2, MPI_UINT32_T);
  MPI_Op_create(kind.commutes ? add : compose, kind.commutes, &kind.op);
  for (int again = 0; again < repeats; ++again)
    expect(try_on(&kind, plain_form, allreduce, elements, 0, 0, MPI_COMM_WORLD) == right_result, "reduction");
  free_kind(&kind);
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  for (int round = 0; round < rounds; ++round) broadcast(round), reduction(round);
  end_section("handles given again");
  return finish();
}
