// SPDX-License-Identifier: MIT
// Calls of nonblocking collectives that are made from random numbers, and judged.
#ifndef NONBLOCKING_H
#define NONBLOCKING_H

#define _GNU_SOURCE
#include <dlfcn.h>

#include "check.h"

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

#endif
