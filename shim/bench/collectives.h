// SPDX-License-Identifier: MIT
// The collectives as C programs and C++ tests see them, read from the rows of algorithms/collective.hpp: how to call
// one, and what a rank gets by it.
#ifndef COLLECTIVES_H
#define COLLECTIVES_H

#include "../../algorithms/collective.hpp"
#include "kinds.h"

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

/// The arguments that only functions with a part for each rank take: one length for all parts, where `each` is not
/// negative, or as many as there are ranks. This rank's part has `count` elements from `first` on; they are of the type
/// `input`, unless that is null.
struct parts {
  int64_t first, count, each;
  MPI_Datatype input;
  int *counts, *displacements;
  MPI_Count* large_counts;
  MPI_Aint* large_displacements;
};

static inline void make_parts(struct parts* parts, int p) {
  parts->large_counts = (MPI_Count*)filled((size_t)p * (sizeof(MPI_Count) + sizeof(MPI_Aint) + 2 * sizeof(int)));
  parts->large_displacements = (MPI_Aint*)(parts->large_counts + p);
  parts->counts = (int*)(parts->large_displacements + p);
  parts->displacements = parts->counts + p;
  parts->first = parts->count = 0, parts->each = -1;
  parts->input = MPI_DATATYPE_NULL;
}
static inline void set_part(struct parts* parts, int r, int64_t n, int64_t place) {
  parts->large_counts[r] = n, parts->large_displacements[r] = place;
  parts->counts[r] = (int)n, parts->displacements[r] = (int)place;
}
static inline void free_parts(struct parts* parts) { free(parts->large_counts); }

/// A vector of `n` elements in a part for each of `p` ranks, as even as it goes: the first element of rank r's.
static inline int64_t first_of(int r, int p, int64_t n) { return n * r / p; }

/// Cuts `n` elements into the parts of such a vector, as rank `r` sees it.
static inline void cut(struct parts* parts, int r, int p, int64_t n) {
  make_parts(parts, p);
  for (int k = 0; k < p; ++k) set_part(parts, k, first_of(k + 1, p, n) - first_of(k, p, n), first_of(k, p, n));
  parts->first = first_of(r, p, n), parts->count = first_of(r + 1, p, n) - parts->first;
  if (n % p == 0) parts->each = n / p;
}

// A new word in a row needs its meaning here. Parameters: the argument; `form` is large_ in functions with MPI_Count.
#define PASS_sendbuf(form) a->send
#define PASS_sendcount(form) parts->count
#define PASS_sendtype(form) (parts->input == MPI_DATATYPE_NULL ? a->type : parts->input)
#define PASS_recvbuf(form) a->recv
#define PASS_count(form) n
#define PASS_counts(form) parts->form##counts
#define PASS_displs(form) parts->form##displacements
#define PASS_datatype(form) a->type
#define PASS_op(form) a->op
#define PASS_root(form) a->root
#define PASS_comm(form) a->comm
// Lengths: whether a rank has its part alone.
#define IS_vector 0
#define IS_part 1
#define IS_nothing 0
// Sources: the first rank that the result of rank r combines, and the one after the last.
#define SOURCES_own_and_lower 0, r + 1
#define SOURCES_lower 0, r
#define SOURCES_of_root root, root + 1
#define SOURCES_of_owner owner, owner + 1
#define SOURCES_of_all 0, p

/// How a function is called: as programs usually do it, with MPI_Count, past all tools, without blocking, persistently.
enum form { plain_form = 0, large_form = 1, native_form = 2, nonblocking_form = 4, persistent_form = 8 };

#define PLAIN(name) PASS_##name()
#define LARGE(name) PASS_##name(large_)
#define CALL_PLAIN(f, signature, ...) f(MPIGRAFT_PARAMETERS_##signature(PLAIN) __VA_ARGS__)
#if MPI_VERSION >= 4
#define MPI_Barrier_c MPI_Barrier  // has no count
#define MPI_Ibarrier_c MPI_Ibarrier
#define MPI_Barrier_init_c MPI_Barrier_init
#define INIT(function, signature, request) CALL(function##_init, signature, , MPI_INFO_NULL, request)
#define CALL_LARGE(f, signature, ...) f##_c(MPIGRAFT_PARAMETERS_##signature(LARGE) __VA_ARGS__)
#else  // Open MPI
#define CALL_LARGE CALL_PLAIN
#define INIT(...) MPI_ERR_INTERN
#endif
#define CALL(function, ...)                                        \
  (form & large_form    ? CALL_LARGE(MPI_##function, __VA_ARGS__)  \
   : form & native_form ? CALL_PLAIN(PMPI_##function, __VA_ARGS__) \
                        : CALL_PLAIN(MPI_##function, __VA_ARGS__))

/// Calls the function of MPI with these very arguments, or begins it, or makes it persistent, if there is a place for a
/// request.
static inline int call_function(enum collective c, int form, const struct arguments* a, const struct parts* parts,
                                MPI_Request* request) {
  const bool equal = parts && parts->each >= 0;
  const int64_t n = !parts ? a->count : equal ? parts->each : parts->count;
#define X(name, equal_parts, function, lower, upper, signature, ...)       \
  if (c == name && equal == equal_parts) {                                 \
    if (!request) return CALL(function, signature, );                      \
    if (form & persistent_form) return INIT(function, signature, request); \
    return CALL(I##lower, signature, , request);                           \
  }
  MPIGRAFT_COLLECTIVE_FUNCTIONS(X)
#undef X
  return MPI_ERR_INTERN;
}

/// The same in any form, to its end.
static inline int call_to_end(enum collective c, int form, const struct arguments* a, const struct parts* parts) {
  MPI_Request request = MPI_REQUEST_NULL;
  const int error = call_function(c, form, a, parts, form & nonblocking_form ? &request : NULL);
  if (error != MPI_SUCCESS || !(form & nonblocking_form)) return error;
  return form & native_form ? PMPI_Wait(&request, MPI_STATUS_IGNORE) : MPI_Wait(&request, MPI_STATUS_IGNORE);
}

enum holders { every_rank, all_but_first, root_only, nobody };

struct facts {
  int rooted, combines, one_buffer;
  enum holders input_at, result_at;
  int input_part, result_part;
};

static inline struct facts facts_of(enum collective c) {
#define NAME(name) name
#define TEXT(...) TEXT_OF(__VA_ARGS__)
#define TEXT_OF(...) #__VA_ARGS__
#define TAKES(signature, name) (strstr(TEXT(MPIGRAFT_PARAMETERS_##signature(NAME)), #name) != NULL)
#define X(name, equal, function, lower, upper, signature, input_at, input_length, result_at, result_length, ...) \
  {TAKES(signature, root),                                                                                       \
   TAKES(signature, op),                                                                                         \
   TAKES(signature, recvbuf) && !TAKES(signature, sendbuf),                                                      \
   input_at,                                                                                                     \
   result_at,                                                                                                    \
   IS_##input_length,                                                                                            \
   IS_##result_length},
  const struct facts all[] = {MPIGRAFT_COLLECTIVES(X)};
#undef X
  return all[c];
}

static inline int holds(enum holders holders, int r, int root) {
  return holders == every_rank || (holders == all_but_first && r > 0) || (holders == root_only && r == root);
}
static inline int has_input(enum collective c, int r, int root) { return holds(facts_of(c).input_at, r, root); }
static inline int has_result(enum collective c, int r, int root) { return holds(facts_of(c).result_at, r, root); }

/// True if rank `r` may pass MPI_IN_PLACE, which a function with one buffer does not take.
static inline int takes_in_place(enum collective c, int r, int root) {
  return !facts_of(c).one_buffer && (has_result(c, r, root) || facts_of(c).result_at == all_but_first);
}

/// True if the memory of the result holds the input before the call.
static inline int input_in_result(enum collective c, int r, int root) {
  return facts_of(c).one_buffer && has_input(c, r, root);
}

static inline int has_parts(enum collective c) { return facts_of(c).input_part || facts_of(c).result_part; }

/// Moves an address of elements by `bytes`; anything else stays.
static inline void* shifted(const void* buffer, MPI_Aint bytes) {
  return buffer == NULL || buffer == MPI_IN_PLACE ? (void*)buffer : (char*)buffer + bytes;
}

/// Makes a call in which a rank's part lies at its place in a buffer as long as the vector, also the part that
/// MPI_IN_PLACE leaves at the start. Elements have `extent` bytes.
static inline int call_parts(enum collective c, int form, struct arguments a, const struct parts* parts,
                             MPI_Aint extent) {
  char *moved = NULL, *recv = (char*)a.recv;
  const MPI_Aint bytes = parts->count * extent, at = parts->first * extent;
  const int to_start = facts_of(c).result_part && a.send == MPI_IN_PLACE;
  if (facts_of(c).input_part) a.send = shifted(a.send, at);
  if (facts_of(c).result_part && !to_start) a.recv = shifted(a.recv, at);
  if (to_start) moved = (char*)memcpy(filled((size_t)bytes), recv, (size_t)bytes);
  const int error = call_to_end(c, form, &a, parts);
  if (to_start) {
    char* const result = (char*)memcpy(filled((size_t)bytes), recv, (size_t)bytes);
    memcpy(recv, moved, (size_t)bytes), memcpy(recv + at, result, (size_t)bytes);
    free(moved), free(result);
  }
  return error;
}

static inline int call_with(enum collective c, int form, const struct arguments* a) {
  if (!has_parts(c)) return call_to_end(c, form, a, NULL);
  int r, p;
  MPI_Aint lb, extent;
  struct parts parts;
  MPI_Comm_rank(a->comm, &r);
  MPI_Comm_size(a->comm, &p);
  MPI_Type_get_extent(a->type, &lb, &extent);
  cut(&parts, r, p, a->count);
  const int error = call_parts(c, form, *a, &parts, extent);
  free_parts(&parts);
  return error;
}

/// Ranks lo to hi - 1.
struct ranks {
  int lo, hi;
};

/// The ranks whose inputs are combined in an element of the result of rank `r`. If there are parts, it is in `owner`'s.
static inline struct ranks sources_of(enum collective c, int r, int p, int root, int owner) {
#define X(name, equal, function, lower, upper, signature, input_at, input_length, result_at, result_length, sources, \
          ...)                                                                                                       \
  {SOURCES_##sources},
  const struct ranks all[] = {MPIGRAFT_COLLECTIVES(X)};
#undef X
  return all[c];
}

/// True if each rank's result combines other ranks' inputs: MPI has no such collective between groups.
static inline int is_prefix(enum collective c) { return sources_of(c, 0, 2, 0, 0).hi != sources_of(c, 1, 2, 0, 0).hi; }

/// Writes the elements that rank `r` must get into its vector of `n`, and no others.
static inline void put_result(const struct kind* kind, enum collective c, int r, int p, int root, int64_t n,
                              void* result) {
  for (int owner = 0; owner < p && has_result(c, r, root); ++owner) {
    const struct ranks sources = sources_of(c, r, p, root, owner);
    const int64_t first = first_of(owner, p, n), count = first_of(owner + 1, p, n) - first;
    if (facts_of(c).result_part && owner != r) continue;
    combine_ranks(kind, sources.lo, sources.hi, first, count, (char*)result + (size_t)first * kind->size);
  }
}

/// The ranks whose inputs rank `r` gets combined where the vector is one element, which is in the last rank's part.
static inline struct ranks sources_of_one(enum collective c, int r, int p, int root) {
  struct ranks sources = {0, 0};
  if (has_result(c, r, root) && (r == p - 1 || !facts_of(c).result_part)) sources = sources_of(c, r, p, root, p - 1);
  return sources;
}

#endif
