// SPDX-License-Identifier: MIT
// One checked call of any collective, for programs whose point is what happens around it. It adds small integers.
#ifndef CHECKED_CALL_H
#define CHECKED_CALL_H

#include "../shim/bench/collectives.h"

/// The small sum of these for element `i`; 0 if there are none.
static inline int64_t wanted(enum collective c, int r, int p, int root, int64_t i) {
  const struct ranks sources = sources_of_one(c, r, p, root);
  int64_t sum = 0;
  if (sources.lo < sources.hi) combine_ranks(&small_sums, sources.lo, sources.hi, i, 1, &sum);
  return sum;
}

/// True if rank `r` has all that it must get in the `n` sums of `result`, and 0 where it gets nothing.
static inline int is_wanted(enum collective c, int r, int p, int root, const int64_t* result, int64_t n) {
  const size_t bytes = (size_t)n * sizeof *result;
  int64_t* const wanted = (int64_t*)memset(filled(bytes), 0, bytes);
  put_result(&small_sums, c, r, p, root, n, wanted);
  const int same = memcmp(result, wanted, bytes) == 0;
  free(wanted);
  return same;
}

static enum form checked_form = plain_form;  // of the calls below

/// Only makes the call. `mine` holds `n` elements of this rank, `result` has room for as many.
static inline int call_by(enum collective c, const int64_t* mine, int64_t* result, int n, int root, MPI_Op op,
                          MPI_Comm comm) {
  const struct arguments a = {mine, result, n, MPI_INT64_T, op, root, comm};
  return call_with(c, checked_form, &a);
}

/// The outcome of a call.
enum outcome { wrong, right, refused };

/// Runs `c` on `n` elements by `op`, a sum; right if this rank received exactly what it should.
static inline enum outcome try_by(MPI_Op op, enum collective c, int n, int root, MPI_Comm comm) {
  int r, p;
  MPI_Comm_rank(comm, &r);
  MPI_Comm_size(comm, &p);
  const size_t bytes = (size_t)n * sizeof(int64_t);
  int64_t *mine = (int64_t*)filled(bytes), *result = (int64_t*)memset(filled(bytes), 0, bytes);
  small_sums.make(mine, n, r, 0);
  if (input_in_result(c, r, root)) memcpy(result, mine, bytes);
  const int error = call_by(c, mine, result, n, root, op, comm);
  const int same = is_wanted(c, r, p, root, result, n);
  free(mine), free(result);
  return error != MPI_SUCCESS ? refused : same ? right : wrong;
}

static inline int is_right(enum collective c, int n, int root, MPI_Comm comm) {
  return try_by(MPI_SUM, c, n, root, comm) == right;
}

#endif
