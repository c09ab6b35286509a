// SPDX-License-Identifier: MIT
// The collectives as C programs see them, read from the rows of algorithms/collective.hpp: how to call one, what it
// takes and gives, and one checked call on int64 sums for programs whose point is what happens around it.
#ifndef COLLECTIVES_H
#define COLLECTIVES_H

#include "../../../algorithms/collective.hpp"
#include "check.h"

#define X(name, ...) name,
enum collective { MPIGRAFT_COLLECTIVES(X) collective_count };
#undef X

#define X(name, ...) #name,
static const char* const collective_names[] = {MPIGRAFT_COLLECTIVES(X)};
#undef X

/// The arguments of all collectives; a function takes those that its signature has.
struct arguments {
  const void* send;
  void* recv;  // also where a function has one buffer
  MPI_Count count;
  MPI_Datatype type;
  MPI_Op op;
  int root;
  MPI_Comm comm;
};

// A new word in a row needs its meaning here. Signatures: the call, whether there is a root, an operator, one buffer.
#define CALL_send_recv_op(f, n) f(a->send, a->recv, n, a->type, a->op, a->comm)
#define CALL_send_recv_op_root(f, n) f(a->send, a->recv, n, a->type, a->op, a->root, a->comm)
#define CALL_buffer_root(f, n) f(a->recv, n, a->type, a->root, a->comm)
#define CALL_comm_only(f, n) f(a->comm)
#define LARGE_FORM_send_recv_op(f) f##_c
#define LARGE_FORM_send_recv_op_root(f) f##_c
#define LARGE_FORM_buffer_root(f) f##_c
#define LARGE_FORM_comm_only(f) f
#define FACTS_send_recv_op 0, 1, 0
#define FACTS_send_recv_op_root 1, 1, 0
#define FACTS_buffer_root 1, 0, 1
#define FACTS_comm_only 0, 0, 0
// Holders: whether rank r is one, and whether MPI_IN_PLACE is for it where they are holders of results.
#define HOLDS_every_rank 1
#define HOLDS_all_but_first (r > 0)
#define HOLDS_root_only (r == root)
#define HOLDS_nobody 0
#define IN_PLACE_every_rank 1
#define IN_PLACE_all_but_first 1
#define IN_PLACE_root_only (r == root)
#define IN_PLACE_nobody 0
// Sources: the first rank that the result of rank r combines, and the one after the last.
#define SOURCES_own_and_lower 0, r + 1
#define SOURCES_lower 0, r
#define SOURCES_of_root root, root + 1
#define SOURCES_of_all 0, p

#if MPI_VERSION >= 4
#define CALL_LARGE(signature, function) CALL_##signature(LARGE_FORM_##signature(MPI_##function), a->count)
#else  // Open MPI, for which one program is built, too
#define CALL_LARGE(signature, function) MPI_ERR_INTERN
#endif

/// Calls the function of MPI, or with `large` its form with MPI_Count.
static inline int call_with(enum collective c, int large, const struct arguments* a) {
#define X(name, function, signature, ...)                         \
  if (c == name && large) return CALL_LARGE(signature, function); \
  if (c == name) return CALL_##signature(MPI_##function, (int)a->count);
  MPIGRAFT_COLLECTIVES(X)
#undef X
  return MPI_ERR_INTERN;
}

struct facts {
  int rooted, combines, one_buffer;
};

static inline struct facts facts_of(enum collective c) {
#define X(name, function, signature, ...) {FACTS_##signature},
  static const struct facts all[] = {MPIGRAFT_COLLECTIVES(X)};
#undef X
  return all[c];
}

static inline int has_input(enum collective c, int r, int root) {
#define X(name, function, signature, input_at, ...) HOLDS_##input_at,
  const int all[] = {MPIGRAFT_COLLECTIVES(X)};
#undef X
  return all[c];
}

static inline int has_result(enum collective c, int r, int root) {
#define X(name, function, signature, input_at, input_length, result_at, ...) HOLDS_##result_at,
  const int all[] = {MPIGRAFT_COLLECTIVES(X)};
#undef X
  return all[c];
}

/// Whether rank `r` may pass MPI_IN_PLACE: in one buffer there is nothing to pass it for.
static inline int takes_in_place(enum collective c, int r, int root) {
#define X(name, function, signature, input_at, input_length, result_at, ...) IN_PLACE_##result_at,
  const int all[] = {MPIGRAFT_COLLECTIVES(X)};
#undef X
  return all[c] && !facts_of(c).one_buffer;
}

/// Whether the memory of the result holds the input before the call.
static inline int input_in_result(enum collective c, int r, int root) {
  return facts_of(c).one_buffer && has_input(c, r, root);
}

/// Ranks lo to hi - 1.
struct ranks {
  int lo, hi;
};

/// Those whose inputs the result of rank `r` combines.
static inline struct ranks sources_of(enum collective c, int r, int p, int root) {
#define X(name, function, signature, input_at, input_length, result_at, result_length, sources, ...) \
  {SOURCES_##sources},
  const struct ranks all[] = {MPIGRAFT_COLLECTIVES(X)};
#undef X
  return all[c];
}

/// Whether each rank's result combines other ranks' inputs: MPI has no such collective between groups.
static inline int is_prefix(enum collective c) { return sources_of(c, 0, 2, 0).hi != sources_of(c, 1, 2, 0).hi; }

/// Element `i` of the result at rank `r`; 0 where the collective delivers nothing.
static inline int64_t wanted(enum collective c, int r, int p, int root, int64_t i) {
  if (!has_result(c, r, root)) return 0;
  const struct ranks sources = sources_of(c, r, p, root);
  int64_t sum = 0;
  for (int k = sources.lo; k < sources.hi; ++k) sum += small(k, i);
  return sum;
}

/// The call alone; `mine` holds `n` elements of this rank, `result` room for as many.
static inline int call_by(enum collective c, const int64_t* mine, int64_t* result, int n, int root, MPI_Op op,
                          MPI_Comm comm) {
  const struct arguments a = {mine, result, n, MPI_INT64_T, op, root, comm};
  return call_with(c, 0, &a);
}

/// The outcome of a call.
enum outcome { wrong, right, refused };

/// Runs `c` on `n` elements by `op`, a sum: right where this rank received exactly what it should.
static inline enum outcome try_by(MPI_Op op, enum collective c, int n, int root, MPI_Comm comm) {
  int r, p, same = 1;
  MPI_Comm_rank(comm, &r);
  MPI_Comm_size(comm, &p);
  int64_t* mine = (int64_t*)filled((size_t)n * sizeof *mine);
  int64_t* result = (int64_t*)memset(filled((size_t)n * sizeof *result), 0, (size_t)n * sizeof *result);
  for (int i = 0; i < n; ++i) mine[i] = small(r, i);
  if (input_in_result(c, r, root)) memcpy(result, mine, (size_t)n * sizeof *mine);
  const int error = call_by(c, mine, result, n, root, op, comm);
  for (int i = 0; i < n; ++i) same &= result[i] == wanted(c, r, p, root, i);
  free(mine), free(result);
  return error != MPI_SUCCESS ? refused : same ? right : wrong;
}

static inline int is_right(enum collective c, int n, int root, MPI_Comm comm) {
  return try_by(MPI_SUM, c, n, root, comm) == right;
}

#endif
