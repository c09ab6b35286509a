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

/// Runs `c` on `n` elements. Nonzero: this rank received exactly what it should.
static inline int is_right(enum collective c, int n, int root, MPI_Comm comm) {
  int r, p, right = 1;
  MPI_Comm_rank(comm, &r);
  MPI_Comm_size(comm, &p);
  int64_t* mine = filled((size_t)n * sizeof *mine);
  int64_t* result = memset(filled((size_t)n * sizeof *result), 0, (size_t)n * sizeof *result);
  for (int i = 0; i < n; ++i) mine[i] = small(r, i);
  if (c == bcast && r == root) memcpy(result, mine, (size_t)n * sizeof *mine);
  if (c == scan) MPI_Scan(mine, result, n, MPI_INT64_T, MPI_SUM, comm);
  if (c == exscan) MPI_Exscan(mine, result, n, MPI_INT64_T, MPI_SUM, comm);
  if (c == bcast) MPI_Bcast(result, n, MPI_INT64_T, root, comm);
  if (c == reduce) MPI_Reduce(mine, result, n, MPI_INT64_T, MPI_SUM, root, comm);
  for (int i = 0; i < n; ++i) right &= result[i] == wanted(c, r, p, root, i);
  free(mine), free(result);
  return right;
}

#endif
