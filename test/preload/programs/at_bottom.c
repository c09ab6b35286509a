// SPDX-License-Identifier: MIT
// Short elements that lie at absolute addresses by their type, from MPI_BOTTOM on: those after the first have addresses
// that MPI libraries take for constants. MPI_IN_PLACE is 1 or -1, and others are 2 or -2.
// usage: at_bottom [nonblocking]
#include "check.h"

enum { most = 16, room = 8 * most * 8 };
#ifdef MPI_ABI  // under which MPICH 5.0 crashes on elements in descending order
static const int steps[] = {1, 2};
#else
static const int steps[] = {1, 2, -1, -2};
#endif

static unsigned char memory[2][2 * room];
static unsigned char *const in = memory[0] + room, *const out = memory[1] + room;
static int step;            // bytes from one element to the next
static MPI_Aint displaced;  // from the address of an element to its byte
static int nonblocking;

#define CALL_EITHER(name, begin, ...)       \
  do {                                      \
    MPI_Request request = MPI_REQUEST_NULL; \
    if (nonblocking)                        \
      begin(__VA_ARGS__, &request);         \
    else                                    \
      name(__VA_ARGS__);                    \
    MPI_Wait(&request, MPI_STATUS_IGNORE);  \
  } while (0)

static unsigned char value_at(int r, int i) { return (unsigned char)(7 * r + i + 1); }
static unsigned char sum_to(int end, int i) {
  unsigned sum = 0;
  for (int r = 0; r < end; ++r) sum += value_at(r, i);
  return (unsigned char)sum;
}

/// The byte of an element.
static unsigned char* byte_of(const void* element, int i) {
  return (unsigned char*)((uintptr_t)element + (uintptr_t)displaced) + i * step;
}

static void add(void* lower, void* upper, int* n, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *n; ++i) *byte_of(upper, i) = (unsigned char)(*byte_of(upper, i) + *byte_of(lower, i));
}

/// The type of bytes that lie `at` bytes after their elements.
static MPI_Datatype type_of(MPI_Aint at) {
  MPI_Datatype byte, type;
  MPI_Type_create_hindexed_block(1, 1, &at, MPI_UNSIGNED_CHAR, &byte);
  MPI_Type_create_resized(byte, 0, step, &type);
  MPI_Type_commit(&type);
  MPI_Type_free(&byte);
  return type;
}

static void fill(unsigned char* elements, int n) {
  for (int i = 0; i < n; ++i) elements[i * step] = value_at(rank, i);
}

static void expect_sums(int end, int first, int n, const char* what) {
  for (int i = 0; i < n; ++i) expect(out[i * step] == sum_to(end, first + i), what);
}

/// Reductions in which `at_bottom`, which is `in` or `out`, is reached from MPI_BOTTOM.
static void reductions(int n, MPI_Op op, unsigned char* at_bottom, int in_place) {
  displaced = (MPI_Aint)at_bottom;
  const void* const send = (void*)((uintptr_t)in - (uintptr_t)displaced);
  const void* const input = in_place ? MPI_IN_PLACE : send;
  void* const recv = (void*)((uintptr_t)out - (uintptr_t)displaced);
  MPI_Datatype type = type_of(displaced);
  const int root = n % size;
  int counts[64];
  for (int r = 0; r < size; ++r) counts[r] = n;
  for (int function = 0; function < 6; ++function) {
    memset(memory, canary, sizeof memory);
    fill(in, n * size);
    if (in_place) fill(out, n * size);
    if (function == 0) MPI_Scan(input, recv, n, type, op, MPI_COMM_WORLD), expect_sums(rank + 1, 0, n, "scan");
    if (function == 1) MPI_Exscan(input, recv, n, type, op, MPI_COMM_WORLD);
    if (function == 1 && rank > 0) expect_sums(rank, 0, n, "exscan");
    if (function == 2) MPI_Allreduce(input, recv, n, type, op, MPI_COMM_WORLD), expect_sums(size, 0, n, "allreduce");
    if (function == 3) MPI_Reduce(rank == root ? input : send, recv, n, type, op, root, MPI_COMM_WORLD);
    if (function == 3 && rank == root) expect_sums(size, 0, n, "reduce");
    if (function == 4) MPI_Reduce_scatter(input, recv, counts, type, op, MPI_COMM_WORLD);
    if (function == 5) MPI_Reduce_scatter_block(input, recv, n, type, op, MPI_COMM_WORLD);
    if (function >= 4) expect_sums(size, rank * n, n, "reduce_scatter");
  }
  MPI_Type_free(&type);
}

static void broadcast(int n) {
  MPI_Datatype type = type_of((MPI_Aint)out);
  memset(memory, canary, sizeof memory);
  if (rank == n % size) fill(out, n);
  CALL_EITHER(MPI_Bcast, MPI_Ibcast, MPI_BOTTOM, n, type, n % size, MPI_COMM_WORLD);
  for (int i = 0; i < n; ++i) expect(out[i * step] == value_at(n % size, i), "bcast");
  MPI_Type_free(&type);
}

static void gathering(int n, int in_place, int equal) {
  MPI_Datatype sent = type_of((MPI_Aint)in), received = type_of((MPI_Aint)out);
  const void* const send = in_place ? MPI_IN_PLACE : MPI_BOTTOM;
  int counts[64], places[64];
  for (int r = 0; r < size; ++r) counts[r] = n, places[r] = r * n;
  memset(memory, canary, sizeof memory);
  fill(in, n);
  if (in_place) fill(out + rank * n * step, n);
  if (equal)
    CALL_EITHER(MPI_Allgather, MPI_Iallgather, send, n, sent, MPI_BOTTOM, n, received, MPI_COMM_WORLD);
  else
    CALL_EITHER(MPI_Allgatherv, MPI_Iallgatherv, send, n, sent, MPI_BOTTOM, counts, places, received, MPI_COMM_WORLD);
  for (int r = 0; r < size; ++r)
    for (int i = 0; i < n; ++i) expect(out[(r * n + i) * step] == value_at(r, i), "allgather");
  MPI_Type_free(&sent), MPI_Type_free(&received);
}

int main(int argc, char** argv) {
  MPI_Op op;
  start(&argc, &argv);
  set_up(MPI_COMM_WORLD);
  nonblocking = argc > 1;
  MPI_Op_create(add, 1, &op);
  for (size_t s = 0; s < sizeof steps / sizeof *steps; ++s)
    for (int n = 1; n <= most; n = n < 4 ? n + 1 : 4 * n)
      for (int form = 0; form < 4; ++form) {
        step = steps[s];
        if (!nonblocking)
          reductions(n, op, form / 2 ? in : out, form % 2);  // with such an operator they would be native
        broadcast(n);
        gathering(n, form % 2, form / 2);
      }
  end_section("from MPI_BOTTOM");
  MPI_Op_free(&op);
  return finish();
}
