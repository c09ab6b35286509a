// SPDX-License-Identifier: MIT
// Rank 0 of an exclusive scan and the ranks outside the root of a reduction give a receive buffer that no one may
// touch: an unreadable page, or none.
#include <sys/mman.h>

#include "collectives.h"

static void* unreadable;

static void run(enum collective c, int n, void* nothing) {
  const int root = c == reduce ? n % size : 0;
  const int receives = c == reduce ? rank == root : rank != 0;
  int64_t* mine = filled((size_t)n * sizeof *mine);
  int64_t* result = filled((size_t)n * sizeof *result);
  for (int i = 0; i < n; ++i) mine[i] = small(rank, i);
  void* target = receives ? result : nothing;
  if (c == exscan) MPI_Exscan(mine, target, n, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  if (c == reduce) MPI_Reduce(mine, target, n, MPI_INT64_T, MPI_SUM, root, MPI_COMM_WORLD);
  for (int i = 0; i < n; ++i) mine[i] = wanted(c, rank, size, root, i);
  if (receives) expect_bytes(result, mine, (size_t)n * sizeof *mine, collective_names[c]);
  free(mine), free(result);
}

int main(int argc, char** argv) {
  static const int lengths[] = {1, 512, 20000};
  start(&argc, &argv);
  unreadable = mmap(NULL, 20000 * sizeof(int64_t), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (int c = exscan; c <= reduce; c += reduce - exscan) {
    for (int k = 0; k < 3; ++k) run(c, lengths[k], unreadable);
    end_section(collective_names[c]);
  }
  for (int k = 0; k < 3; ++k) run(reduce, lengths[k], NULL);
  end_section("reduce without a receive buffer");
  return finish();
}
