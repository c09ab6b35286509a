// SPDX-License-Identifier: MIT
// Calls of nonblocking and persistent collectives that are made from random numbers, and judged.
#ifndef REQUESTS_H
#define REQUESTS_H

#define _GNU_SOURCE
#define MALLOC_ALONE  // what algorithms work in they get by aligned_alloc, and a call without it fails
#include "allocations.h"
#include "check.h"

// GCC takes MPI_STATUSES_IGNORE for an array that is too short.
#pragma GCC diagnostic ignored "-Wstringop-overflow"

enum { most = 24, longest = 3000 };
static const int lengths[] = {1, 0, 7, 100, longest, 2};

/// The generator of this rank alone, or that of all.
static uint64_t own_state, common_state = 1;
static int draw_own(int below) { return draw_by(&own_state, below); }
static int draw(int below) { return draw_by(&common_state, below); }

static int refused;
static int refuses(size_t bytes) { return (void)bytes, ++refused; }

/// A call under way, on a vector of `n` elements.
struct call {
  const struct place* at;
  enum collective collective;
  int n, root, in_place;
  enum form form;
  int64_t *in, *out;
  struct parts parts;  // if it has them
};

static int begin(const struct call* c, MPI_Op op, MPI_Datatype type, MPI_Request* request) {
  const struct facts facts = facts_of(c->collective);
  const MPI_Aint at = has_parts(c->collective) ? c->parts.first * (MPI_Aint)sizeof(int64_t) : 0;
  struct arguments a = {c->in_place ? MPI_IN_PLACE : c->in, c->out, c->n, type, op, c->root, c->at->comm};
  if (facts.input_part) a.send = shifted(a.send, at);
  if (facts.result_part && !c->in_place) a.recv = shifted(a.recv, at);
  return call_function(c->collective, c->form, &a, has_parts(c->collective) ? &c->parts : NULL, request);
}

/// A vector of parts has `n` elements for each rank, and perhaps one more.
static struct call make(const struct place* at, enum collective collective, int n) {
  const int in_place = draw(4) == 0, is_large = draw(3) == 0, root = draw(at->size), more = draw(2);
  struct call c = {
      .at = at, .collective = collective, .n = n, .root = root, .form = is_large ? large_form : plain_form};
  c.in_place = in_place && takes_in_place(collective, at->rank, root);
  if (has_parts(collective)) c.n = n * at->size + more, cut(&c.parts, at->rank, at->size, c.n);
  const size_t bytes = (size_t)c.n * sizeof(int64_t);
  c.in = (int64_t*)filled(bytes), c.out = (int64_t*)filled(bytes);
  small_sums.make(c.in, c.n, at->rank, 0);
  if (c.in_place || input_in_result(collective, at->rank, root)) memcpy(c.out, c.in, bytes);
  return c;
}

static int is_right_so_far(const struct call* c) {
  const int result_part = facts_of(c->collective).result_part;
  const int64_t first = result_part ? c->parts.first : 0, count = result_part ? c->parts.count : c->n;
  int64_t* const want = (int64_t*)filled((size_t)c->n * sizeof *want);
  put_result(&small_sums, c->collective, c->at->rank, c->at->size, c->root, c->n, want);
  const int64_t* const got = c->out + (c->in_place ? 0 : first);
  const int same = memcmp(got, want + first, (size_t)count * sizeof *want) == 0;
  free(want);
  return same || !has_result(c->collective, c->at->rank, c->root);
}

static void forget(struct call* c) {
  if (has_parts(c->collective)) free_parts(&c->parts);
  free(c->in), free(c->out);
}

static void judge(struct call* c) {
  char what[80];
  snprintf(what, sizeof what, "%s, %d elements", collective_names[c->collective], c->n);
  expect(is_right_so_far(c), what);
  forget(c);
}

/// Ends one of `n` requests in some way, and tells which.
static int end_one(int n, MPI_Request* requests) {
  int which = draw_own(n), flag = 0, some = 0, indices[most];
  while (requests[which] == MPI_REQUEST_NULL) which = (which + 1) % n;
  const int way = draw_own(5);
  if (way == 1)
    while (!flag) MPI_Test(&requests[which], &flag, MPI_STATUS_IGNORE);
  if (way == 2)
    while (!flag) MPI_Request_get_status(requests[which], &flag, MPI_STATUS_IGNORE);
  if (way == 0 || way == 2) MPI_Wait(&requests[which], MPI_STATUS_IGNORE);
  if (way == 3) MPI_Waitany(n, requests, &which, MPI_STATUS_IGNORE);
  if (way == 4)
    MPI_Waitsome(1, &requests[which], &some, indices, MPI_STATUSES_IGNORE);  // alone, or it would end several
  expect(way != 4 || some == 1, "some");
  return which;
}

#endif
