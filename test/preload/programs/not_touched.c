// SPDX-License-Identifier: MIT
// Ranks without a result, such as rank 0 of an exclusive scan and all but the root of a reduction, give a receive
// buffer that no one may touch: an unreadable page, or none.
#include <sys/mman.h>

#include "check.h"

static void* unreadable;

static void run(enum collective c, int n, void* nothing) {
  const int root = facts_of(c).rooted ? n % size : 0, receives = has_result(c, rank, root);
  int64_t* mine = filled((size_t)n * sizeof *mine);
  int64_t* result = filled((size_t)n * sizeof *result);
  small_sums.make(mine, n, rank, 0);
  call_by(c, mine, receives ? result : nothing, n, root, MPI_SUM, MPI_COMM_WORLD);
  put_result(&small_sums, c, rank, size, root, n, mine);
  if (receives) expect_bytes(result, mine, (size_t)n * sizeof *mine, collective_names[c]);
  free(mine), free(result);
}

int main(int argc, char** argv) {
  static const int lengths[] = {1, 512, 20000};
  start(&argc, &argv);
  unreadable = mmap(NULL, 20000 * sizeof(int64_t), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (int c = 0; c < collective_count; ++c) {
    if (has_result(c, 0, 0) && has_result(c, 1, 0)) continue;
    for (int k = 0; k < 3; ++k) run(c, lengths[k], unreadable);
    end_section(collective_names[c]);
    if (!facts_of(c).rooted) continue;  // MPICH itself looks at what rank 0 of an exclusive scan gives
    for (int k = 0; k < 3; ++k) run(c, lengths[k], NULL);
    end_section("without a receive buffer");
  }
  return finish();
}
