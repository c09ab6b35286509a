// SPDX-License-Identifier: MIT
// Nonblocking collectives as programs may use them: many under way on several communicators, ended in an order of each
// rank's own, and left to themselves while the program is in some other call of MPI.
#define _GNU_SOURCE
#include <dlfcn.h>

#include "check.h"

// GCC takes MPI_STATUSES_IGNORE for an array that is too short.
#pragma GCC diagnostic ignored "-Wstringop-overflow"

enum { functions = 10, most = 24, longest = 3000 };
static const int lengths[] = {1, 0, 7, 100, longest, 2};

/// The generator of this rank alone, or that of all.
static uint64_t own_state, common_state = 1;
static int draw_by(uint64_t* state, int below) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (int)((*state >> 33) % (uint64_t)below);
}
static int draw_own(int below) { return draw_by(&own_state, below); }
static int draw(int below) { return draw_by(&common_state, below); }

static _Thread_local int short_of_memory;

void* __libc_malloc(size_t bytes);

/// While memory is short, mpigraft gets none.
void* malloc(size_t bytes) {
  Dl_info info;
  if (short_of_memory && dladdr(__builtin_return_address(0), &info) && strstr(info.dli_fname, "libmpigraft")) {
    ++short_of_memory;
    return NULL;
  }
  return __libc_malloc(bytes);
}

struct place {
  MPI_Comm comm;
  int rank, size;
};

/// A call under way. A part has as many elements on every rank, or one more on the last.
struct call {
  const struct place* at;
  int function, n, root, large, uneven, in_place;
  int64_t *in, *out;
  int counts[64], places[64];
  MPI_Count large_counts[64];
  MPI_Aint large_places[64];
};

static int length_of_part(const struct call* c, int r) { return c->n + (c->uneven && r == c->at->size - 1); }
static int64_t value_at(int r, int64_t i) { return small(r, i) >> 8; }

#define CALL(name, ...) (c->large ? MPI_##name##_c(__VA_ARGS__) : MPI_##name(__VA_ARGS__))
static int begin(struct call* c, MPI_Op op, MPI_Datatype type, MPI_Request* request) {
  const MPI_Comm comm = c->at->comm;
  const int n = c->n, part = length_of_part(c, c->at->rank);
  const void* const in = c->in_place ? MPI_IN_PLACE : (void*)c->in;
  switch (c->function) {
    case 0:
      return CALL(Iscan, in, c->out, n, type, op, comm, request);
    case 1:
      return CALL(Iexscan, in, c->out, n, type, op, comm, request);
    case 2:
      return CALL(Ibcast, c->out, n, type, c->root, comm, request);
    case 3:
      return CALL(Ireduce, c->at->rank == c->root ? in : c->in, c->out, n, type, op, c->root, comm, request);
    case 4:
      return MPI_Ibarrier(comm, request);
    case 5:
      return CALL(Iallreduce, in, c->out, n, type, op, comm, request);
    case 6:
      return CALL(Ireduce_scatter_block, in, c->out, n, type, op, comm, request);
    case 7:
      return c->large ? MPI_Ireduce_scatter_c(in, c->out, c->large_counts, type, op, comm, request)
                      : MPI_Ireduce_scatter(in, c->out, c->counts, type, op, comm, request);
    case 8:
      return CALL(Iallgather, in, n, type, c->out, n, type, comm, request);
    default:
      return c->large ? MPI_Iallgatherv_c(in, part, type, c->out, c->large_counts, c->large_places, type, comm, request)
                      : MPI_Iallgatherv(in, part, type, c->out, c->counts, c->places, type, comm, request);
  }
}

static struct call make(const struct place* at, int function, int n) {
  struct call c = {.at = at, .function = function, .n = n, .root = draw(at->size), .large = draw(3) == 0};
  c.uneven = function == 7 || function == 9;
  c.in_place = draw(4) == 0 && function != 2 && function != 4;
  const size_t bytes = ((size_t)n + 1) * (size_t)at->size * sizeof(int64_t);
  c.in = (int64_t*)filled(bytes), c.out = (int64_t*)filled(bytes);
  for (int i = 0; i < (n + 1) * at->size; ++i) c.in[i] = value_at(at->rank, i);
  const int has_input_there = c.in_place || (function == 2 && at->rank == c.root);
  const int first = function >= 8 && c.in_place ? at->rank * n : 0;
  if (has_input_there) memcpy(c.out + first, c.in, function >= 8 ? sizeof(int64_t) * (size_t)(n + 1) : bytes);
  if (function == 3 && at->rank != c.root) memset(c.out, canary, bytes);
  for (int r = 0; r < at->size; ++r) {
    c.large_counts[r] = c.counts[r] = length_of_part(&c, r);
    c.large_places[r] = c.places[r] = r * n;
  }
  return c;
}

static int64_t sum_to(int end, int64_t i) {
  int64_t sum = 0;
  for (int r = 0; r < end; ++r) sum += value_at(r, i);
  return sum;
}

static void judge(struct call* c) {
  const int r = c->at->rank, p = c->at->size, mine = length_of_part(c, r);
  int ok = 1;
  for (int i = 0; i < c->n; ++i) {
    if (c->function == 0) ok &= c->out[i] == sum_to(r + 1, i);
    if (c->function == 1 && r > 0) ok &= c->out[i] == sum_to(r, i);
    if (c->function == 2) ok &= c->out[i] == value_at(c->root, i);
    if (c->function == 5 || (c->function == 3 && r == c->root)) ok &= c->out[i] == sum_to(p, i);
  }
  for (int i = 0; i < mine && (c->function == 6 || c->function == 7); ++i) ok &= c->out[i] == sum_to(p, r * c->n + i);
  for (int k = 0; k < p && c->function >= 8; ++k)
    for (int i = 0; i < length_of_part(c, k); ++i) ok &= c->out[k * c->n + i] == value_at(k, i);
  char what[80];
  snprintf(what, sizeof what, "function %d, %d elements", c->function, c->n);
  expect(ok, what);
  free(c->in), free(c->out);
}

/// Ends one of `n` requests in some way, and tells which.
static int end_one(int n, MPI_Request* requests) {
  int which = draw_own(n), flag = 0, some = 0, indices[most];
  while (requests[which] == MPI_REQUEST_NULL) which = (which + 1) % n;
  switch (draw_own(5)) {
    case 0:
      MPI_Wait(&requests[which], MPI_STATUS_IGNORE);
      return which;
    case 1:
      while (!flag) MPI_Test(&requests[which], &flag, MPI_STATUS_IGNORE);
      return which;
    case 2:
      while (!flag) MPI_Request_get_status(requests[which], &flag, MPI_STATUS_IGNORE);
      MPI_Wait(&requests[which], MPI_STATUS_IGNORE);
      return which;
    case 3:
      MPI_Waitany(n, requests, &which, MPI_STATUS_IGNORE);
      return which;
    default:  // one alone, or Waitsome would end several
      MPI_Waitsome(1, &requests[which], &some, indices, MPI_STATUSES_IGNORE);
      expect(some == 1, "some");
      return which;
  }
}

/// Many calls under way, also with messages of the program and blocking calls in between.
static void many(const struct place* places, int place_count) {
  for (int round = 0; round < 30; ++round) {
    const int n = 1 + draw(most);
    struct call calls[most];
    MPI_Request requests[most];
    for (int i = 0; i < n; ++i) {
      calls[i] = make(&places[draw(place_count)], draw(functions), lengths[draw(6)]);
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
  for (int function = 0; function < functions; ++function) {
    struct call call = make(world, function, longest);
    MPI_Request request;
    char word = 0;
    begin(&call, MPI_SUM, MPI_INT64_T, &request);
    if (rank + 1 < size && function % 2) MPI_Probe(rank + 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank + 1 < size) MPI_Recv(&word, 1, MPI_CHAR, rank + 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank > 0) MPI_Send(&word, 1, MPI_CHAR, rank - 1, 2, MPI_COMM_WORLD);
    judge(&call);
  }
}

/// Types and communicators may be freed before a call is over.
static void freed(const struct place* world) {
  for (int function = 0; function < functions; ++function) {
    struct place copy = *world;
    MPI_Datatype type;
    MPI_Request request;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy.comm);
    use_up_first_calls(copy.comm);
    int64_t one = 1, all = 0;
    MPI_Allreduce(&one, &all, 1, MPI_INT64_T, MPI_SUM, copy.comm);
    struct call call = make(&copy, function, 100);
    const int streams = function == 2 || function == 4 || function >= 8;
    MPI_Type_contiguous(1, MPI_INT64_T, &type);
    MPI_Type_commit(&type);
    begin(&call, MPI_SUM, streams ? type : MPI_INT64_T, &request);
    MPI_Type_free(&type);
    MPI_Comm_free(&copy.comm);
    MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
    judge(&call);
  }
}

/// MPI has read the counts and displacements when a call returns, so programs reuse their memory at once.
static void reused(const struct place* world) {
  for (int function = 7; function <= 9; function += 2)
    for (int large = 0; large < 2; ++large) {
      struct call before = make(world, 4, 0), call = make(world, function, 100);
      MPI_Request requests[2];
      call.large = large;
      begin(&before, MPI_SUM, MPI_INT64_T, &requests[0]);
      begin(&call, MPI_SUM, MPI_INT64_T, &requests[1]);
      memset(call.counts, canary, sizeof call.counts), memset(call.places, canary, sizeof call.places);
      memset(call.large_counts, canary, sizeof call.large_counts);
      memset(call.large_places, canary, sizeof call.large_places);
      MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
      judge(&before), judge(&call);
    }
}

static void add(void* in, void* inout, int* n, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *n; ++i) ((int64_t*)inout)[i] += ((int64_t*)in)[i];
}

/// The status is an empty one, and nothing can be cancelled.
static void asked(const struct place* world) {
  MPI_Op op;
  MPI_Op_create(add, 0, &op);
  struct call first = make(world, 5, 7), second = make(world, 5, 7);
  MPI_Request requests[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Status statuses[3];
  int class = MPI_SUCCESS, cancelled = 1;
  begin(&first, MPI_SUM, MPI_INT64_T, &requests[1]);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Error_class(MPI_Cancel(&requests[1]), &class);
  expect(class != MPI_SUCCESS, "a collective was cancelled");
  begin(&second, op, MPI_INT64_T, &requests[2]);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Op_free(&op);
  MPI_Waitall(3, requests, statuses);
  MPI_Test_cancelled(&statuses[1], &cancelled);
  expect(!cancelled && requests[1] == MPI_REQUEST_NULL, "the end of a collective");
  judge(&first), judge(&second);
}

/// A persistent call runs beside nonblocking ones of the same communicator.
static void persistent(const struct place* world) {
  struct call calls[2] = {make(world, 5, 100), make(world, 5, 100)};
  MPI_Request sum, other;
  MPI_Allreduce_init(calls[0].in, calls[0].out, 100, MPI_INT64_T, MPI_SUM, world->comm, MPI_INFO_NULL, &sum);
  calls[0].in_place = calls[1].in_place = 0;
  for (int i = 0; i < 3; ++i) {
    MPI_Start(&sum);
    begin(&calls[1], MPI_SUM, MPI_INT64_T, &other);
    MPI_Wait(&sum, MPI_STATUS_IGNORE);
    MPI_Wait(&other, MPI_STATUS_IGNORE);
  }
  MPI_Request_free(&sum);
  judge(&calls[0]), judge(&calls[1]);
}

/// A rank without memory stays in step.
static void without_memory(const struct place* world) {
  int asked_for = 0;
  for (int function = 0; function < functions; ++function) {
    if (function == 6 || function == 7) continue;  // an algorithm of theirs needs memory, too
    struct call first = make(world, function, 7), second = make(world, function, 100);
    MPI_Request requests[2];
    begin(&first, MPI_SUM, MPI_INT64_T, &requests[0]);
    short_of_memory = rank == size - 1;
    begin(&second, MPI_SUM, MPI_INT64_T, &requests[1]);
    asked_for += short_of_memory > 1;
    short_of_memory = 0;
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    judge(&first), judge(&second);
  }
  const char* const preloaded = getenv("LD_PRELOAD");
  const int grafted = preloaded != NULL && strstr(preloaded, "libmpigraft") != NULL;
  expect(rank != size - 1 || asked_for > 0 || !grafted, "nobody asked for memory");
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  own_state = (uint64_t)rank * 7919 + 5;
  struct place places[3];
  places[0].comm = MPI_COMM_WORLD;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &places[1].comm);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &places[2].comm);
  for (int i = 0; i < 3; ++i) {
    int64_t one = 1, all = 0;
    MPI_Comm_rank(places[i].comm, &places[i].rank);
    MPI_Comm_size(places[i].comm, &places[i].size);
    use_up_first_calls(places[i].comm);
    MPI_Allreduce(&one, &all, 1, MPI_INT64_T, MPI_SUM, places[i].comm);
  }
  many(places, 3), end_section("many");
  left_alone(&places[0]), end_section("left alone");
  freed(&places[0]), end_section("freed");
  reused(&places[0]), end_section("reused");
  asked(&places[0]), end_section("asked");
  persistent(&places[0]), end_section("persistent");
  without_memory(&places[0]), end_section("without memory");
  for (int i = 1; i < 3; ++i) MPI_Comm_free(&places[i].comm);
  return finish();
}
