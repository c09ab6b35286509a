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

/// A vector of `n` elements in a part for each of `p` ranks, as even as it goes: the first element of rank r's.
static inline int64_t first_of(int r, int p, int64_t n) { return n * r / p; }

enum { most_parts = 128 };

/// The arguments that only functions with a part for each rank take: one length for all parts, where `each` is not
/// negative, or as many as there are ranks.
struct parts {
  int64_t own, each;
  int counts[most_parts], displacements[most_parts];
  MPI_Count large_counts[most_parts];
  MPI_Aint large_displacements[most_parts];
};

// A new word in a row needs its meaning here. Signatures: the call, whether there is a root, an operator, one buffer.
#define CALL_send_recv_op(f, n, form) f(a->send, a->recv, n, a->type, a->op, a->comm)
#define CALL_send_recv_op_root(f, n, form) f(a->send, a->recv, n, a->type, a->op, a->root, a->comm)
#define CALL_send_recv_counts_op(f, n, form) f(a->send, a->recv, parts->form##counts, a->type, a->op, a->comm)
#define CALL_send_recv(f, n, form) f(a->send, n, a->type, a->recv, n, a->type, a->comm)
#define CALL_send_recv_counts(f, n, form) \
  f(a->send, n, a->type, a->recv, parts->form##counts, parts->form##displacements, a->type, a->comm)
#define CALL_buffer_root(f, n, form) f(a->recv, n, a->type, a->root, a->comm)
#define CALL_comm_only(f, n, form) f(a->comm)
#define LARGE_FORM_send_recv_op(f) f##_c
#define LARGE_FORM_send_recv_op_root(f) f##_c
#define LARGE_FORM_send_recv_counts_op(f) f##_c
#define LARGE_FORM_send_recv(f) f##_c
#define LARGE_FORM_send_recv_counts(f) f##_c
#define LARGE_FORM_buffer_root(f) f##_c
#define LARGE_FORM_comm_only(f) f
#define FACTS_send_recv_op 0, 1, 0
#define FACTS_send_recv_op_root 1, 1, 0
#define FACTS_send_recv_counts_op 0, 1, 0
#define FACTS_send_recv_counts 0, 0, 0
#define FACTS_buffer_root 1, 0, 1
#define FACTS_comm_only 0, 0, 0
// Lengths: whether a rank has its part alone.
#define IS_vector 0
#define IS_part 1
#define IS_nothing 0
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
#define SOURCES_of_owner owner, owner + 1
#define SOURCES_of_all 0, p

#if MPI_VERSION >= 4
#define CALL_LARGE(signature, function) CALL_##signature(LARGE_FORM_##signature(MPI_##function), n, large_)
#else  // Open MPI, for which one program is built, too
#define CALL_LARGE(signature, function) MPI_ERR_INTERN
#endif

/// Calls the function of MPI, or with `large` its form with MPI_Count, with these very arguments.
static inline int call_function(enum collective c, int large, const struct arguments* a, const struct parts* parts) {
  const int equal = parts && parts->each >= 0;
  const int64_t n = !parts ? a->count : equal ? parts->each : parts->own;
#define X(name, function, signature, ...)                         \
  if (c == name && large) return CALL_LARGE(signature, function); \
  if (c == name) return CALL_##signature(MPI_##function, (int)n, );
  if (equal) {
    MPIGRAFT_EQUAL_PARTS(X)
  }
  MPIGRAFT_COLLECTIVES(X)
#undef X
  return MPI_ERR_INTERN;
}

struct facts {
  int rooted, combines, one_buffer, input_part, result_part;
};

static inline struct facts facts_of(enum collective c) {
#define X(name, function, signature, input_at, input_length, result_at, result_length, ...) \
  {FACTS_##signature, IS_##input_length, IS_##result_length},
  static const struct facts all[] = {MPIGRAFT_COLLECTIVES(X)};
#undef X
  return all[c];
}

static inline int has_parts(enum collective c) { return facts_of(c).input_part || facts_of(c).result_part; }

/// Cuts `n` elements into parts; equal ones if that is possible.
static inline void cut(struct parts* parts, int r, int p, int64_t n) {
  if (p > most_parts) exit(2);
  parts->own = first_of(r + 1, p, n) - first_of(r, p, n);
  parts->each = n % p == 0 ? n / p : -1;
  for (int k = 0; k < p; ++k) {
    parts->large_displacements[k] = parts->displacements[k] = (int)first_of(k, p, n);
    parts->large_counts[k] = parts->counts[k] = (int)(first_of(k + 1, p, n) - first_of(k, p, n));
  }
}

/// Moves an address of elements by `bytes`; anything else stays.
static inline void* shifted(const void* buffer, MPI_Aint bytes) {
  return buffer == NULL || buffer == MPI_IN_PLACE ? (void*)buffer : (char*)buffer + bytes;
}

/// Makes a call in which a rank's part lies at its place in a buffer as long as the vector, also the part that
/// MPI_IN_PLACE leaves at the start.
static inline int call_parts(enum collective c, int large, struct arguments a) {
  int r, p;
  MPI_Aint lb, extent;
  struct parts parts;
  char *moved = NULL, *recv = (char*)a.recv;
  MPI_Comm_rank(a.comm, &r);
  MPI_Comm_size(a.comm, &p);
  MPI_Type_get_extent(a.type, &lb, &extent);
  cut(&parts, r, p, a.count);
  const int64_t first = first_of(r, p, a.count);
  const size_t own = (size_t)(parts.own * extent), at = (size_t)(first * extent);
  const int to_start = facts_of(c).result_part && a.send == MPI_IN_PLACE;
  if (facts_of(c).input_part) a.send = shifted(a.send, first * extent);
  if (facts_of(c).result_part && !to_start) a.recv = shifted(a.recv, first * extent);
  if (to_start) moved = (char*)memcpy(filled(own), recv, own);
  const int error = call_function(c, large, &a, &parts);
  if (to_start) {
    char* const result = (char*)memcpy(filled(own), recv, own);
    memcpy(recv, moved, own), memcpy(recv + at, result, own);
    free(moved), free(result);
  }
  return error;
}

static inline int call_with(enum collective c, int large, const struct arguments* a) {
  return has_parts(c) ? call_parts(c, large, *a) : call_function(c, large, a, NULL);
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

/// True if rank `r` may pass MPI_IN_PLACE, which a function with one buffer does not take.
static inline int takes_in_place(enum collective c, int r, int root) {
#define X(name, function, signature, input_at, input_length, result_at, ...) IN_PLACE_##result_at,
  const int all[] = {MPIGRAFT_COLLECTIVES(X)};
#undef X
  return all[c] && !facts_of(c).one_buffer;
}

/// True if the memory of the result holds the input before the call.
static inline int input_in_result(enum collective c, int r, int root) {
  return facts_of(c).one_buffer && has_input(c, r, root);
}

/// Ranks lo to hi - 1.
struct ranks {
  int lo, hi;
};

/// The ranks whose inputs are combined in an element of the result of rank `r`. If there are parts, it is in `owner`'s.
static inline struct ranks sources_of_part(enum collective c, int r, int p, int root, int owner) {
#define X(name, function, signature, input_at, input_length, result_at, result_length, sources, ...) \
  {SOURCES_##sources},
  const struct ranks all[] = {MPIGRAFT_COLLECTIVES(X)};
#undef X
  return all[c];
}

/// The same for element `i` of a vector of `n`.
static inline struct ranks sources_of(enum collective c, int r, int p, int root, int64_t i, int64_t n) {
  int owner = 0;
  while (owner + 1 < p && first_of(owner + 1, p, n) <= i) ++owner;
  return sources_of_part(c, r, p, root, owner);
}

/// True if each rank's result combines other ranks' inputs: MPI has no such collective between groups.
static inline int is_prefix(enum collective c) {
  return sources_of_part(c, 0, 2, 0, 0).hi != sources_of_part(c, 1, 2, 0, 0).hi;
}

/// True if rank `r` gets element `i` of a vector of `n`.
static inline int gets(enum collective c, int r, int p, int root, int64_t i, int64_t n) {
  const int in_part = first_of(r, p, n) <= i && i < first_of(r + 1, p, n);
  return has_result(c, r, root) && (in_part || !facts_of(c).result_part);
}

/// Element `i` of `n` of the result at rank `r`; 0 if the collective delivers nothing there.
static inline int64_t wanted(enum collective c, int r, int p, int root, int64_t i, int64_t n) {
  if (!gets(c, r, p, root, i, n)) return 0;
  const struct ranks sources = sources_of(c, r, p, root, i, n);
  int64_t sum = 0;
  for (int k = sources.lo; k < sources.hi; ++k) sum += small(k, i);
  return sum;
}

/// True if rank `r` has all that is wanted in the `n` elements of `result`. It looks at parts, because a division for
/// each element would take longer than the call.
static inline int is_wanted(enum collective c, int r, int p, int root, const int64_t* result, int64_t n) {
  int same = 1;
  for (int owner = 0; owner < p; ++owner) {
    const int has = has_result(c, r, root) && (owner == r || !facts_of(c).result_part);
    struct ranks sources = {0, 0};
    if (has) sources = sources_of_part(c, r, p, root, owner);
    for (int64_t i = first_of(owner, p, n), end = first_of(owner + 1, p, n); i < end; ++i) {
      int64_t sum = 0;
      for (int k = sources.lo; k < sources.hi; ++k) sum += small(k, i);
      same &= result[i] == sum;
    }
  }
  return same;
}

/// Only makes the call. `mine` holds `n` elements of this rank, `result` has room for as many.
static inline int call_by(enum collective c, const int64_t* mine, int64_t* result, int n, int root, MPI_Op op,
                          MPI_Comm comm) {
  const struct arguments a = {mine, result, n, MPI_INT64_T, op, root, comm};
  return call_with(c, 0, &a);
}

/// The outcome of a call.
enum outcome { wrong, right, refused };

/// Runs `c` on `n` elements by `op`, a sum; right if this rank received exactly what it should.
static inline enum outcome try_by(MPI_Op op, enum collective c, int n, int root, MPI_Comm comm) {
  int r, p;
  MPI_Comm_rank(comm, &r);
  MPI_Comm_size(comm, &p);
  int64_t* mine = (int64_t*)filled((size_t)n * sizeof *mine);
  int64_t* result = (int64_t*)memset(filled((size_t)n * sizeof *result), 0, (size_t)n * sizeof *result);
  for (int i = 0; i < n; ++i) mine[i] = small(r, i);
  if (input_in_result(c, r, root)) memcpy(result, mine, (size_t)n * sizeof *mine);
  const int error = call_by(c, mine, result, n, root, op, comm);
  const int same = is_wanted(c, r, p, root, result, n);
  free(mine), free(result);
  return error != MPI_SUCCESS ? refused : same ? right : wrong;
}

static inline int is_right(enum collective c, int n, int root, MPI_Comm comm) {
  return try_by(MPI_SUM, c, n, root, comm) == right;
}

#endif
