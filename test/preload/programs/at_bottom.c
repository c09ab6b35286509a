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

/// A call in which `at_bottom`, which is `in` or `out`, is reached from MPI_BOTTOM. Gathers reach both of them.
static void one_call(enum collective c, int n, MPI_Op op, unsigned char* at_bottom, int in_place, int equal) {
  const struct kind bytes = user_kind(MPI_BYTE, 1);
  const struct facts facts = facts_of(c);
  const int root = n % size, all = has_parts(c) ? n * size : n;
  unsigned char mine[room], want[room];
  struct parts parts;
  MPI_Request request = MPI_REQUEST_NULL;
  cut(&parts, rank, size, all);
  if (!equal) parts.each = -1;
  displaced = (MPI_Aint)at_bottom;
  struct arguments a = {NULL, NULL, n, type_of(displaced), op, root, MPI_COMM_WORLD};
  a.recv = (void*)((uintptr_t)out - (uintptr_t)displaced);
  a.send = in_place ? MPI_IN_PLACE : (void*)((uintptr_t)in - (uintptr_t)displaced);
  if (facts.input_part) parts.input = type_of((MPI_Aint)in);
  if (facts.input_part && !in_place) a.send = MPI_BOTTOM;

  const int first = (int)parts.first, input = facts.input_part ? first : 0, inputs = facts.input_part ? n : all;
  memset(memory, canary, sizeof memory);
  bytes.make(mine, inputs, rank, input);
  for (int i = 0; i < inputs; ++i) in[i * step] = mine[i];
  const int input_in_out = in_place || input_in_result(c, rank, root);
  for (int i = 0; i < inputs && input_in_out; ++i) out[(input + i) * step] = mine[i];
  call_function(c, plain_form, &a, has_parts(c) ? &parts : NULL, nonblocking ? &request : NULL);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  put_result(&bytes, c, rank, size, root, all, want);
  const int result = facts.result_part ? first : 0, results = has_result(c, rank, root) * (facts.result_part ? n : all);
  for (int i = 0; i < results; ++i) expect(out[i * step] == want[result + i], collective_names[c]);
  MPI_Type_free(&a.type);
  if (facts.input_part) MPI_Type_free(&parts.input);
  free_parts(&parts);
}

/// Nonblocking reductions would be native with such an operator.
static void all_calls(enum collective c, int n, MPI_Op op) {
  if (!has_input(c, 0, 0) || (nonblocking && facts_of(c).combines)) return;
  for (int form = 0; form < 8; ++form) {
    const int in_place = form % 2 && takes_in_place(c, rank, n % size), equal = form / 2 % 2;
    if (equal <= has_parts(c)) one_call(c, n, op, facts_of(c).combines && form / 4 ? in : out, in_place, equal);
  }
}

int main(int argc, char** argv) {
  MPI_Op op;
  start(&argc, &argv);
  set_up(MPI_COMM_WORLD);
  nonblocking = argc > 1;
  MPI_Op_create(add, 1, &op);
  for (size_t s = 0; s < sizeof steps / sizeof *steps; ++s) {
    step = steps[s];
    for (int n = 1; n <= most; n = n < 4 ? n + 1 : 4 * n)
      for (enum collective c = 0; c < collective_count; ++c) all_calls(c, n, op);
  }
  end_section("from MPI_BOTTOM");
  MPI_Op_free(&op);
  return finish();
}
