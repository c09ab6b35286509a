// SPDX-License-Identifier: MIT
// Nonblocking collectives as programs may use them: many under way on several communicators, ended in an order of each
// rank's own, and left to themselves while the program is in some other call of MPI.
#include "nonblocking.h"

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

/// Types and communicators may be freed before a call is over.
static void freed(const struct place* world) {
  for (enum collective c = 0; c < collective_count; ++c) {
    struct place copy = *world;
    MPI_Datatype type;
    MPI_Request request;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy.comm);
    set_up(copy.comm);
    struct call call = make(&copy, c, 100);
    MPI_Type_contiguous(1, MPI_INT64_T, &type);
    MPI_Type_commit(&type);
    begin(&call, MPI_SUM, facts_of(c).combines ? MPI_INT64_T : type, &request);
    MPI_Type_free(&type);
    MPI_Comm_free(&copy.comm);
    MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
    judge(&call);
  }
}

/// MPI forbids programs to free the request of a collective. Either that is an error, or the call ends as any other.
static void let_go(const struct place* world) {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (enum collective c = 0; c < collective_count; ++c) {
    struct call call = make(world, c, longest);
    MPI_Request request;
    int found;
    begin(&call, MPI_SUM, MPI_INT64_T, &request);
    if (MPI_Request_free(&request) != MPI_SUCCESS) MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect(request == MPI_REQUEST_NULL, "a freed request");
    while (!is_right_so_far(&call)) MPI_Iprobe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
    MPI_Barrier(world->comm);  // others may still read this rank's input
    forget(&call);
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

/// MPI has read the counts and displacements when a call returns, so programs reuse their memory at once.
static void reused(const struct place* world) {
  for (enum collective c = 0; c < collective_count; ++c)
    for (int form = plain_form; has_parts(c) && form <= large_form; ++form) {
      struct call before = make(world, barrier, 0), call = make(world, c, 100);
      MPI_Request requests[2];
      call.form = (enum form)form, call.parts.each = -1;
      begin(&before, MPI_SUM, MPI_INT64_T, &requests[0]);
      begin(&call, MPI_SUM, MPI_INT64_T, &requests[1]);
      for (int r = 0; r < size; ++r) set_part(&call.parts, r, -1, -1);
      MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
      judge(&before), judge(&call);
    }
}

/// The status is an empty one, and nothing can be cancelled.
static void asked(const struct place* world) {
  MPI_Op op;
  MPI_Op_create(add_integers, 0, &op);
  struct call first = make(world, allreduce, 7), second = make(world, allreduce, 7);
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

/// A rank without memory stays in step.
static void without_memory(const struct place* world) {
  int asked_for = 0;
  for (enum collective c = 0; c < collective_count; ++c) {
    if (c == reduce_scatter) continue;  // an algorithm of its needs memory, too
    struct call first = make(world, c, 7), second = make(world, c, 100);
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
  struct place places[place_count];
  make_places(places);
  for (int i = 0; i < place_count; ++i) set_up(places[i].comm);
  many(places), end_section("many");
  left_alone(&places[0]), end_section("left alone");
  freed(&places[0]), end_section("freed");
  let_go(&places[0]), end_section("let go");
  reused(&places[0]), end_section("reused");
  asked(&places[0]), end_section("asked");
  if (argc < 2) without_memory(&places[0]), end_section("without memory");  // valgrind has an allocator of its own
  free_places(places);
  return finish();
}
