// SPDX-License-Identifier: MIT
// Types and operators that are freed and made anew. MPI gives their handles again, so that calls with the same
// arguments come to mean something else.
#include "check.h"

enum { rounds = 60, repeats = 30, elements = 5, pairs = 2, longest = 64 };

/// Two elements of round `round`: one after the other, with holes, or longer.
static MPI_Datatype type_of(int round) {
  MPI_Datatype type;
  if (round % 3 == 1)
    MPI_Type_vector(2, 1, 3, MPI_INT, &type);
  else
    MPI_Type_contiguous(2 + round % 3, MPI_INT, &type);
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

static void add(void* in, void* inout, int* n, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < pairs * *n; ++i) ((uint32_t*)inout)[i] += ((uint32_t*)in)[i];
}

/// The pair (a, b) is the map x -> a x + b; the lower operand comes first.
static void compose(void* in, void* inout, int* n, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *n; ++i) {
    const uint32_t *lower = (uint32_t*)in + pairs * i, *upper = (uint32_t*)inout + pairs * i;
    const uint32_t a = lower[0] * upper[0], b = lower[1] * upper[0] + upper[1];
    ((uint32_t*)inout)[pairs * i] = a, ((uint32_t*)inout)[pairs * i + 1] = b;
  }
}

/// The operator commutes in every other round, in which its handle is the same.
static void reduction(int round) {
  MPI_User_function* const function = round % 2 ? compose : add;
  MPI_Datatype pair;
  MPI_Op op;
  MPI_Type_contiguous(pairs, MPI_UINT32_T, &pair);
  MPI_Type_commit(&pair);
  MPI_Op_create(function, round % 2 == 0, &op);
  uint32_t mine[elements][pairs], all[elements][pairs], want[elements][pairs];
  for (int r = 0; r < size; ++r) {
    uint32_t upper[elements][pairs];
    for (int i = 0; i < elements; ++i) upper[i][0] = (uint32_t)(r + 3 + i), upper[i][1] = (uint32_t)(r + 5);
    if (r == rank) memcpy(mine, upper, sizeof mine);
    if (r > 0) function(want, upper, &(int){elements}, &pair);
    memcpy(want, upper, sizeof want);
  }
  for (int again = 0; again < repeats; ++again) {
    MPI_Allreduce(mine, all, elements, pair, op, MPI_COMM_WORLD);
    expect_bytes(all, want, sizeof want, "reduction");
  }
  MPI_Op_free(&op);
  MPI_Type_free(&pair);
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  for (int round = 0; round < rounds; ++round) broadcast(round), reduction(round);
  end_section("handles given again");
  return finish();
}
