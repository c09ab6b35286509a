// SPDX-License-Identifier: MIT
// Operators and types of the program in nonblocking and persistent calls, freed as soon as MPI has them. Their handles
// may then be those of others. usage: operators [persistent|strict]
#include "requests.h"

enum { at_once = 4, starts = 3 };

static MPI_Datatype type;
static int applications;

static void add(void* in, void* inout, int* n, MPI_Datatype* given) {
  expect(*given == type, "the operator gets the type of the call");
  ++applications;
  add_integers(in, inout, n, given);
}

static void spoil(void* in, void* inout, int* n, MPI_Datatype* given) {
  (void)in, (void)given;
  for (int i = 0; i < *n; ++i) ((int64_t*)inout)[i] = -1;
}

/// Makes a call, and leaves nothing of its operator and its type but other operators.
static void begin_and_free(const struct call* call, int commutes, MPI_Request* request, MPI_Op* other) {
  MPI_Op op;
  MPI_Op_create(add, commutes, &op);
  MPI_Datatype own = contiguous_type(1, MPI_INT64_T);
  type = own;
  begin(call, op, own, request);
  MPI_Op_free(&op);
  expect(op == MPI_OP_NULL, "a freed operator");
  MPI_Type_free(&own);
  MPI_Op_create(spoil, 1, other);
}

static void nonblocking(const struct place* world, enum collective c) {
  struct call calls[at_once];
  MPI_Request requests[at_once];
  MPI_Op others[at_once];
  for (int i = 0; i < at_once; ++i) {
    calls[i] = make(world, c, 7 + i);
    begin_and_free(&calls[i], i % 2, &requests[i], &others[i]);
    MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    judge(&calls[i]), MPI_Op_free(&others[i]);
  }
}

/// Several under way with one operator: it goes when the last has ended.
static void shared(const struct place* world, enum collective c) {
  struct call calls[at_once];
  MPI_Request requests[at_once];
  MPI_Op op, other;
  MPI_Op_create(add, 1, &op);
  type = MPI_INT64_T;
  for (int i = 0; i < at_once; ++i) calls[i] = make(world, c, 100 * i), begin(&calls[i], op, type, &requests[i]);
  MPI_Op_free(&op);
  MPI_Op_create(spoil, 1, &other);
  for (int i = 0; i < at_once; ++i) judge(&calls[end_one(at_once, requests)]);
  MPI_Op_free(&other);
}

static void persistent(const struct place* world, enum collective c) {
  struct call call = make(world, c, 7);
  call.form = (enum form)(call.form | persistent_form), call.in_place = 0;
  MPI_Request request;
  MPI_Op other;
  begin_and_free(&call, c % 2, &request, &other);
  for (int i = 0; i < starts; ++i) {
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect(is_right_so_far(&call), "a persistent call with an operator of the program");
  }
  MPI_Request_free(&request);
  forget(&call), MPI_Op_free(&other);
}

/// MPIGRAFT_FORCE=strict with an algorithm for commutative operators only: a nonblocking reduction with another
/// operator is an error and starts nothing.
static void strict(void) {
  MPI_Op op;
  MPI_Request request = MPI_REQUEST_NULL;
  const int64_t mine = rank + 1;
  int64_t result = 0;
  MPI_Op_create(add_integers, 0, &op);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const int code = MPI_Iallreduce(&mine, &result, 1, MPI_INT64_T, op, MPI_COMM_WORLD, &request);
  expect(class_of(code) == MPI_ERR_OTHER && request == MPI_REQUEST_NULL, "refused");
  MPI_Iallreduce(&mine, &result, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  expect(result == (int64_t)size * (size + 1) / 2, "the next");
  MPI_Op_free(&op);
}

static void all_calls(const struct place* world, int are_persistent) {
  for (enum collective c = 0; c < collective_count; ++c) {
    if (!facts_of(c).combines) continue;
    if (are_persistent)
      persistent(world, c);
    else
      nonblocking(world, c), shared(world, c);
  }
  expect(applications > 0 || rank == 0 || size == 1, "operators were applied");
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  own_state = (uint64_t)rank * 7919 + 5;
  const struct place world = {MPI_COMM_WORLD, rank, size};
  set_up(world.comm);
  if (argc > 1 && strcmp(argv[1], "strict") == 0)
    strict();
  else
    all_calls(&world, argc > 1);
  end_section("operators");
  return finish();
}
