// SPDX-License-Identifier: MIT
// Operators of the program's own that count on getting all elements at once, as MPICH gives them: sums, compositions
// of affine maps, which do not commute, and sums with MPI_Count. `whole_vectors parts` expects parts instead, and
// `whole_vectors N` parts of a vector of 4096 elements of which the longest has N. Further arguments are the
// collectives to call; without them all are called that combine and give whole vectors: MPICH combines the others' in
// parts.
#include "check.h"

static const int lengths[] = {4096, 1, 1024, 1025, 2048, 65536, 524288};  // 8 B to 4 MB, about a page of 8 KiB
enum { length_count = sizeof lengths / sizeof *lengths, operator_count = 3 };

static int64_t all;      // elements of the call
static int64_t longest;  // that an operator has got
static int calls, parts;

static void count(int64_t elements) {
  ++calls;
  parts += elements != all;
  if (elements > longest) longest = elements;
}

static void add(void* in, void* inout, int* n, MPI_Datatype* type) {
  count(*n);
  add_integers(in, inout, n, type);
}

#if MPI_VERSION >= 4
static void add_large(void* in, void* inout, MPI_Count* n, MPI_Datatype* type) {
  (void)type;
  count(*n);
  join_uint64_t_SUM(in, inout, *n);
}
#endif

static void compose(void* in, void* inout, int* n, MPI_Datatype* type) {
  (void)type;
  count(*n);
  join_uint64_t_affine(in, inout, *n);
}

static void call(enum collective c, int op, MPI_Op handle, int n, int root) {
  struct kind kind = user_kind(MPI_UINT64_T, op != 1);
  kind.op = handle, all = n;
  const enum form form = op == 2 ? large_form : plain_form;
  expect(try_on(&kind, form, c, n, root, 0, MPI_COMM_WORLD) == right_result, collective_names[c]);
}

static int is_asked_for(enum collective c, int argc, char** argv) {
  int asked = facts_of(c).combines && !facts_of(c).result_part && argc < 3;
  for (int i = 2; i < argc; ++i) asked |= strcmp(argv[i], collective_names[c]) == 0;
  return asked;
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  const int want_parts = argc > 1 && strcmp(argv[1], "parts") == 0, want_longest = argc > 1 ? atoi(argv[1]) : 0;
  if (!want_longest) skip_under_open_mpi("it gives operators parts of vectors");
  MPI_Op operators[operator_count];
  MPI_Op_create(add, 1, &operators[0]);
  MPI_Op_create(compose, 0, &operators[1]);
#if MPI_VERSION >= 4
  MPI_Op_create_c(add_large, 1, &operators[2]);
#else
  MPI_Op_create(add, 1, &operators[2]);
#endif
  for (enum collective c = 0; c < collective_count; ++c) {
    if (!is_asked_for(c, argc, argv)) continue;
    for (int op = 0; op < operator_count; ++op) {
      calls = parts = 0, longest = 0;
      for (int i = 0; i < (want_longest ? 1 : length_count); ++i) call(c, op, operators[op], lengths[i], i % size);
      if (want_longest)
        expect(longest == want_longest || (calls == 0 && rank > 0), "the longest part");
      else if (want_parts)
        expect(calls == 0 || parts > 0, "the operator has got no part of a vector");
      else
        expect(parts == 0, "the operator has got a part of a vector");
    }
    end_section(collective_names[c]);
  }
  for (int op = 0; op < operator_count; ++op) MPI_Op_free(&operators[op]);
  return finish();
}
