// SPDX-License-Identifier: MIT
// Persistent collectives as programs may use them: started several times with new input, many at once in an order of
// each rank's own, among other calls, freed early.
#include "nonblocking.h"

enum { starts = 3, at_once = 8, too_many = 20 };

/// MPICH 4.0.2 natively reads some input at the init call, that of MPI_Allgather_init even once only, so that none is
/// made in place. It waits for ever for an inactive operation, and drops one whose request is freed.
static int is_strict;

static struct call make_persistent(const struct place* at, enum collective c, int n) {
  struct call call = make(at, c, n);
  call.form = (enum form)(call.form | persistent_form);
  if (c == allgather && !is_strict) call.in_place = 0;
  return call;
}

static MPI_Request init(const struct call* call, MPI_Op op) {
  MPI_Request request = MPI_REQUEST_NULL;
  expect(begin(call, op, MPI_INT64_T, &request) == MPI_SUCCESS, "init");
  return request;
}

/// Fills in the input, of which nothing is left before the start.
static void refill(const struct call* call) {
  const size_t bytes = (size_t)call->n * sizeof(int64_t);
  small_sums.make(call->in, call->n, call->at->rank, 0);
  if (is_strict || call->collective != allgather) memset(call->out, 1, bytes);
  if (call->in_place || input_in_result(call->collective, call->at->rank, call->root))
    memcpy(call->out, call->in, bytes);
}

static void use_up(const struct call* call) {
  const size_t bytes = (size_t)call->n * sizeof(int64_t);
  if (is_strict) memset(call->in, 3, bytes), memset(call->out, 3, bytes);
}

/// The input is read at each start, not before.
static void one(const struct place* at) {
  for (enum collective c = 0; c < collective_count; ++c)
    for (int n = 0; n < 4; ++n) {
      struct call call = make_persistent(at, c, lengths[n]);
      use_up(&call);
      MPI_Request request = init(&call, MPI_SUM);
      for (int i = 0; i < starts; ++i) {
        refill(&call);
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        expect(request != MPI_REQUEST_NULL && is_right_so_far(&call), collective_names[c]);
        use_up(&call);
      }
      MPI_Request_free(&request);
      expect(request == MPI_REQUEST_NULL, "a freed request");
      forget(&call);
    }
}

/// Each rank ends them in an order of its own, and also starts them so, with blocking and nonblocking calls in between.
static void many(const struct place* places) {
  for (int round = 0; round < 12; ++round) {
    struct call calls[at_once], other = make(&places[draw(place_count)], allreduce, 7);
    MPI_Request requests[at_once], beside;
    for (int i = 0; i < at_once; ++i) {
      const enum collective c = (enum collective)draw(collective_count);
      calls[i] = make_persistent(&places[draw(place_count)], c, is_strict ? 1 + draw(300) : lengths[draw(6)]);
      requests[i] = init(&calls[i], MPI_SUM);
    }
    for (int i = 0; i < starts; ++i) {
      const int first = is_strict ? draw_own(at_once) : draw(at_once), step = first % 2 ? 1 : 3;
      for (int k = 0; k < at_once; ++k) refill(&calls[k]);
      for (int k = 0; k < at_once; ++k) MPI_Start(&requests[(first + k * step) % at_once]);
      if (i == 1) begin(&other, MPI_SUM, MPI_INT64_T, &beside);
      if (draw(2)) MPI_Barrier(places[draw(place_count)].comm);
      if (draw(3) == 0)
        MPI_Waitall(at_once, requests, MPI_STATUSES_IGNORE);
      else
        for (int k = 0; k < at_once; ++k) end_one(1, &requests[(first + k * 5) % at_once]);
      for (int k = 0; k < at_once; ++k) expect(is_right_so_far(&calls[k]), collective_names[calls[k].collective]);
      if (i == 1) MPI_Wait(&beside, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < at_once; ++i) MPI_Request_free(&requests[i]), forget(&calls[i]);
    judge(&other);
  }
}

/// More at once than the library grafts on a communicator, and messages of the program among them.
static void started_together(const struct place* world) {
  struct call calls[too_many];
  MPI_Request requests[too_many + 2];
  int64_t mine = rank, theirs = -1;
  for (int i = 0; i < too_many; ++i) {
    calls[i] = make_persistent(world, (enum collective)(i % collective_count), 7);
    requests[i] = init(&calls[i], MPI_SUM);
  }
  MPI_Recv_init(&theirs, 1, MPI_INT64_T, (rank + size - 1) % size, 1, MPI_COMM_WORLD, &requests[too_many]);
  MPI_Send_init(&mine, 1, MPI_INT64_T, (rank + 1) % size, 1, MPI_COMM_WORLD, &requests[too_many + 1]);
  for (int i = 0; i < starts; ++i) {
    theirs = -1;
    for (int k = 0; k < too_many; ++k) refill(&calls[k]);
    MPI_Startall(too_many + 2, requests);
    MPI_Waitall(too_many + 2, requests, MPI_STATUSES_IGNORE);
    for (int k = 0; k < too_many; ++k) expect(is_right_so_far(&calls[k]), collective_names[calls[k].collective]);
    expect(theirs == (rank + size - 1) % size, "a message");
  }
  for (int i = 0; i < too_many + 2; ++i) MPI_Request_free(&requests[i]);
  for (int i = 0; i < too_many; ++i) forget(&calls[i]);
}

/// Types and communicators may be freed while an operation is under way or later started, and arrays of counts reused.
static void freed(const struct place* world) {
  for (enum collective c = 0; c < collective_count; ++c) {
    struct place copy = *world;
    MPI_Comm_dup(world->comm, &copy.comm);
    struct call call = make_persistent(&copy, c, 100);
    MPI_Datatype type;
    MPI_Request request;
    MPI_Type_contiguous(1, MPI_INT64_T, &type);
    MPI_Type_commit(&type);
    call.parts.each = -1;
    expect(begin(&call, MPI_SUM, facts_of(c).combines ? MPI_INT64_T : type, &request) == MPI_SUCCESS, "init");
    MPI_Type_free(&type);
    const int64_t first = call.parts.first, count = call.parts.count;
    for (int r = 0; has_parts(c) && r < copy.size; ++r) set_part(&call.parts, r, -1, -1);
    refill(&call);
    MPI_Start(&request);
    MPI_Comm_free(&copy.comm);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    refill(&call);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    call.parts.first = first, call.parts.count = count;
    judge(&call);
  }
}

/// Inactive operations are waited for, and requests freed while their operations are under way.
static void strict(const struct place* world) {
  for (enum collective c = 0; c < collective_count; ++c) {
    struct place copy = *world;
    MPI_Comm_dup(world->comm, &copy.comm);
    struct call call = make_persistent(&copy, c, 7);
    MPI_Request request = init(&call, MPI_SUM);
    MPI_Status status;
    MPI_Wait(&request, &status);
    expect(request != MPI_REQUEST_NULL, "an inactive request");
    refill(&call);
    MPI_Start(&request);
    MPI_Request_free(&request);
    MPI_Comm_free(&copy.comm);
    int found;
    while (!is_right_so_far(&call)) MPI_Iprobe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
    MPI_Barrier(world->comm);  // others may still read this rank's input
    forget(&call);
  }
}

/// Operators of the program, and communicators of one rank.
static void special(const struct place* world) {
  MPI_Op op;
  MPI_Op_create(add_integers, 1, &op);
  const struct place self = {MPI_COMM_SELF, 0, 1};
  struct call calls[] = {make_persistent(world, scan, 7), make_persistent(&self, allreduce, 7)};
  MPI_Request requests[] = {init(&calls[0], op), init(&calls[1], MPI_SUM)};
  for (int i = 0; i < starts; ++i) {
    refill(&calls[0]), refill(&calls[1]);
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    expect(is_right_so_far(&calls[0]) && is_right_so_far(&calls[1]), "an operator of the program, or one rank");
  }
  for (int i = 0; i < 2; ++i) MPI_Request_free(&requests[i]), forget(&calls[i]);
  MPI_Op_free(&op);
}

/// A rank without memory stays in step.
static void without_memory(const struct place* world) {
  for (enum collective c = 0; c < collective_count; ++c) {
    if (c == reduce_scatter) continue;  // an algorithm of its needs memory, too
    struct call early = make_persistent(world, c, 7), late = make_persistent(world, c, 100);
    MPI_Request requests[2];
    requests[0] = init(&early, MPI_SUM);
    short_of_memory = rank == size - 1;
    requests[1] = init(&late, MPI_SUM);
    MPI_Startall(2, requests);
    short_of_memory = 0;
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 2; ++i) MPI_Request_free(&requests[i]);
    judge(&early), judge(&late);
  }
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  is_strict = argc > 1;
  own_state = (uint64_t)rank * 7919 + 5;
  struct place places[place_count];
  make_places(places);
  one(&places[0]), end_section("one");
  many(places), end_section("many");
  started_together(&places[0]), end_section("started together");
  freed(&places[0]), end_section("freed");
  special(&places[0]), end_section("special");
  without_memory(&places[0]), end_section("without memory");
  if (is_strict) strict(&places[0]), end_section("strict");
  free_places(places);
  return finish();
}
