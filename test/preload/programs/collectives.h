// SPDX-License-Identifier: MIT
// One collective call on int64 sums, checked: for programs whose point is what happens around it.
#ifndef COLLECTIVES_H
#define COLLECTIVES_H

#include "check.h"

enum collective { scan, exscan, bcast, reduce, collective_count };

static const char* const collective_names[] = {"scan", "exscan", "bcast", "reduce"};

/// Element `i` of the result at rank `r`; 0 where the collective delivers nothing.
static inline int64_t wanted(enum collective c, int r, int p, int root, int64_t i) {
  if (c == bcast) return small(root, i);
  if (c == reduce && r != root) return 0;
  const int end = c == scan ? r + 1 : c == exscan ? r : p;
  int64_t sum = 0;
  for (int k = 0; k < end; ++k) sum += small(k, i);
  return sum;
}

/// The call alone; `mine` holds `n` elements of this rank, `result` room for as many.
static inline int call_by(enum collective c, const int64_t* mine, int64_t* result, int n, int root, MPI_Op op,
                          MPI_Comm comm) {
  if (c == scan) return MPI_Scan(mine, result, n, MPI_INT64_T, op, comm);
  if (c == exscan) return MPI_Exscan(mine, result, n, MPI_INT64_T, op, comm);
  if (c == bcast) return MPI_Bcast(result, n, MPI_INT64_T, root, comm);
  return MPI_Reduce(mine, result, n, MPI_INT64_T, op, root, comm);
}

/// What came of a call.
enum outcome { wrong, right, refused };

/// Runs `c` on `n` elements by `op`, a sum: right where this rank received exactly what it should.
static inline enum outcome try_by(MPI_Op op, enum collective c, int n, int root, MPI_Comm comm) {
  int r, p, same = 1;
  MPI_Comm_rank(comm, &r);
  MPI_Comm_size(comm, &p);
  int64_t* mine = (int64_t*)filled((size_t)n * sizeof *mine);
  int64_t* result = (int64_t*)memset(filled((size_t)n * sizeof *result), 0, (size_t)n * sizeof *result);
  for (int i = 0; i < n; ++i) mine[i] = small(r, i);
  if (c == bcast && r == root) memcpy(result, mine, (size_t)n * sizeof *mine);
  const int error = call_by(c, mine, result, n, root, op, comm);
  for (int i = 0; i < n; ++i) same &= result[i] == wanted(c, r, p, root, i);
  free(mine), free(result);
  return error != MPI_SUCCESS ? refused : same ? right : wrong;
}

static inline int is_right(enum collective c, int n, int root, MPI_Comm comm) {
  return try_by(MPI_SUM, c, n, root, comm) == right;
}

#endif
