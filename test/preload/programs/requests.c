// SPDX-License-Identifier: MIT
// Nonblocking and persistent collectives as programs may use them: many at once on several communicators, ended in an
// order of each rank's own, among other calls, freed early, and left to themselves while the program is in some other
// call of MPI. usage: requests nonblocking|persistent|strict [checked]
#include "requests.h"

enum { starts = 3, at_once = 8, too_many = 20 };

/// MPICH 4.0.2 natively reads some input of persistent calls at the init call, that of MPI_Allgather_init even once
/// only, so that none is made in place. It waits for ever for an inactive operation, and drops one whose request is
/// freed. `strict` programs expect better.
static int is_persistent, is_strict;

static struct call made(const struct place* at, enum collective c, int n) {
  struct call call = make(at, c, n);
  if (is_persistent) call.form = (enum form)(call.form | persistent_form);
  if (is_persistent && c == allgather && !is_strict) call.in_place = 0;
  return call;
}

/// The request of a call under way, or of a persistent one that is not started yet.
static MPI_Request request_of(const struct call* call, MPI_Op op) {
  MPI_Request request = MPI_REQUEST_NULL;
  expect(begin(call, op, MPI_INT64_T, &request) == MPI_SUCCESS, "begin");
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

/// Starts a persistent call with new input.
static void start_persistent(const struct call* call, MPI_Request* request) {
  if (!is_persistent) return;
  refill(call);
  MPI_Start(request);
}

/// Every collective of every length. Each rank ends them in an order of its own, and also starts them so, with blocking
/// and nonblocking calls in between. Some have an operator of the program. The input is read at each start, not before.
static void many_persistent(const struct place* places) {
  MPI_Op op;
  MPI_Op_create(add_integers, 1, &op);
  for (int round = 0; round < 12; ++round) {
    struct call calls[at_once], other = make(&places[draw(place_count)], allreduce, 7);
    MPI_Request requests[at_once], beside;
    for (int i = 0; i < at_once; ++i) {
      const int k = round * at_once + i;
      const enum collective c = (enum collective)(k % collective_count);
      calls[i] = made(&places[draw(place_count)], c, lengths[k / collective_count % 6]);
      use_up(&calls[i]);
      requests[i] = request_of(&calls[i], draw(3) ? MPI_SUM : op);
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
      for (int k = 0; k < at_once; ++k) {
        expect(requests[k] != MPI_REQUEST_NULL && is_right_so_far(&calls[k]), collective_names[calls[k].collective]);
        use_up(&calls[k]);
      }
      if (i == 1) MPI_Wait(&beside, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < at_once; ++i) {
      MPI_Request_free(&requests[i]);
      expect(requests[i] == MPI_REQUEST_NULL, "a freed request");
      forget(&calls[i]);
    }
    judge(&other);
  }
  MPI_Op_free(&op);
}

/// More at once than the library grafts on a communicator, and messages of the program among them.
static void started_together(const struct place* world) {
  struct call calls[too_many];
  MPI_Request requests[too_many + 2];
  int64_t mine = rank, theirs = -1;
  for (int i = 0; i < too_many; ++i) {
    calls[i] = made(world, (enum collective)(i % collective_count), 7);
    requests[i] = request_of(&calls[i], MPI_SUM);
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

/// Many calls under way, also with messages of the program and blocking calls in between.
static void many(const struct place* places) {
  for (int round = 0; round < 30; ++round) {
    const int n = 1 + draw(most);
    struct call calls[most];
    MPI_Request requests[most];
    for (int i = 0; i < n; ++i) {
      calls[i] = make(&places[draw(place_count)], (enum collective)draw(collective_count), lengths[draw(6)]);
      expect(begin(&calls[i], MPI_SUM, MPI_INT64_T, &requests[i]) == MPI_SUCCESS, "begin");
      if (draw(12) == 0) MPI_Barrier(places[draw(place_count)].comm);
    }
    int64_t mine = rank, theirs = -1;
    if (draw(2))
      MPI_Sendrecv(&mine, 1, MPI_INT64_T, (rank + 1) % size, 1, &theirs, 1, MPI_INT64_T, (rank + size - 1) % size, 1,
                   MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (draw(4) == 0) {
      MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
      for (int i = 0; i < n; ++i) judge(&calls[i]);
    } else {
      for (int i = 0; i < n; ++i) judge(&calls[end_one(n, requests)]);
    }
  }
}

/// Every rank but the last is in another call while the last waits for all of them.
static void left_alone(const struct place* world) {
  for (enum collective c = 0; c < collective_count; ++c) {
    struct call call = make(world, c, longest);
    MPI_Request request;
    char word = 0;
    begin(&call, MPI_SUM, MPI_INT64_T, &request);
    if (rank + 1 < size && c % 2) MPI_Probe(rank + 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank + 1 < size) MPI_Recv(&word, 1, MPI_CHAR, rank + 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank > 0) MPI_Send(&word, 1, MPI_CHAR, rank - 1, 2, MPI_COMM_WORLD);
    judge(&call);
  }
}

/// The status is an empty one, and nothing can be cancelled.
static void asked(const struct place* world) {
  MPI_Op op;
  MPI_Op_create(add_integers, 0, &op);
  struct call first = make(world, allreduce, 7), second = make(world, allreduce, 7);
  MPI_Request requests[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Status statuses[3];
  int cancelled = 1;
  begin(&first, MPI_SUM, MPI_INT64_T, &requests[1]);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  expect(MPI_Cancel(&requests[1]) != MPI_SUCCESS, "a collective was cancelled");
  begin(&second, op, MPI_INT64_T, &requests[2]);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Op_free(&op);
  MPI_Waitall(3, requests, statuses);
  MPI_Test_cancelled(&statuses[1], &cancelled);
  expect(!cancelled && requests[1] == MPI_REQUEST_NULL, "the end of a collective");
  judge(&first), judge(&second);
}

/// MPICH natively ends the program.
static void not_cancelled(const struct place* world) {
  struct call call = made(world, allreduce, 7);
  MPI_Request request = request_of(&call, MPI_SUM);
  start_persistent(&call, &request);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  expect(MPI_Cancel(&request) != MPI_SUCCESS, "a persistent collective was cancelled");
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);
  judge(&call);
}

/// MPI has read the counts and displacements when a call returns, so programs reuse their memory at once. Types and
/// communicators may be freed before a call is over or a persistent one is started.
static void freed_early(const struct place* world, enum collective c, int large) {
  struct place copy = *world;
  MPI_Datatype type = contiguous_type(1, MPI_INT64_T);
  MPI_Request requests[2];
  MPI_Comm_dup(world->comm, &copy.comm);
  if (!is_persistent) set_up(copy.comm);
  struct call before = make(&copy, barrier, 0), call = made(&copy, c, 100);
  call.form = (enum form)((call.form & persistent_form) | (large ? large_form : plain_form)), call.parts.each = -1;
  begin(&before, MPI_SUM, MPI_INT64_T, &requests[0]);
  begin(&call, MPI_SUM, facts_of(c).combines ? MPI_INT64_T : type, &requests[1]);
  MPI_Type_free(&type);
  for (int r = 0; has_parts(c) && r < copy.size; ++r) set_part(&call.parts, r, -1, -1);
  start_persistent(&call, &requests[1]);
  MPI_Comm_free(&copy.comm);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  start_persistent(&call, &requests[1]);
  MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  if (is_persistent) MPI_Request_free(&requests[1]);
  judge(&before), judge(&call);
}

/// Inactive persistent requests are waited for, and requests freed while their operations are under way. MPI forbids
/// that for nonblocking ones: either it is an error, or the call ends as any other.
static void let_go(const struct place* world) {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (enum collective c = 0; c < collective_count; ++c) {
    struct place copy = *world;
    if (is_persistent) MPI_Comm_dup(world->comm, &copy.comm);
    struct call call = made(&copy, c, is_persistent ? 7 : longest);
    MPI_Request request = request_of(&call, MPI_SUM);
    int found;
    if (is_persistent) MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect(request != MPI_REQUEST_NULL, "a request");
    start_persistent(&call, &request);
    if (MPI_Request_free(&request) != MPI_SUCCESS) MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect(request == MPI_REQUEST_NULL, "a freed request");
    if (is_persistent) MPI_Comm_free(&copy.comm);
    while (!is_right_so_far(&call)) MPI_Iprobe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
    MPI_Barrier(world->comm);  // others may still read this rank's input
    forget(&call);
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

/// A rank without memory stays in step.
static void without_memory(const struct place* world) {
  for (enum collective c = 0; c < collective_count; ++c) {
    if (c == reduce_scatter) continue;  // an algorithm of its needs memory, too
    struct call first = made(world, c, 7), second = made(world, c, 100);
    MPI_Request requests[2];
    requests[0] = request_of(&first, MPI_SUM);
    looks_at_allocations = rank == size - 1;
    requests[1] = request_of(&second, MPI_SUM);
    if (is_persistent) MPI_Startall(2, requests);
    looks_at_allocations = 0;
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; is_persistent && i < 2; ++i) MPI_Request_free(&requests[i]);
    judge(&first), judge(&second);
  }
  const char* const preloaded = getenv("LD_PRELOAD");
  const int grafted = preloaded != NULL && strstr(preloaded, "libmpigraft") != NULL;
  expect(rank != size - 1 || size == 1 || refused > 0 || !grafted, "nobody asked for memory");
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  if (argc < 2) return 2;
  is_persistent = strcmp(argv[1], "nonblocking") != 0, is_strict = strcmp(argv[1], "strict") == 0;
  own_state = (uint64_t)rank * 7919 + 5;
  struct place places[place_count];
  const struct place* const world = &places[0];
  make_places(places);
  if (is_persistent) {
    many_persistent(places), end_section("many");
    started_together(world), end_section("started together");
    if (is_strict) not_cancelled(world), end_section("not cancelled");
  } else {
    for (int i = 0; i < place_count; ++i) set_up(places[i].comm);
    many(places), end_section("many");
    left_alone(world), end_section("left alone");
    asked(world), end_section("asked");
  }
  for (int i = 0; i < 2 * collective_count; ++i) freed_early(world, (enum collective)(i / 2), i % 2);
  end_section("freed early");
  if (is_strict || !is_persistent) let_go(world), end_section("let go");
  if (argc < 3) without_memory(world), end_section("without memory");  // valgrind has an allocator of its own
  free_places(places);
  return finish();
}
