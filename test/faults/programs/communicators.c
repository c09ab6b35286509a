// SPDX-License-Identifier: MIT
// `communicators in_turn|alive N [IDLE]`: N communicators, each used once after its first calls; in turn, or all of
// them before the first is freed. IDLE others, never used, leave fewer context ids.
#include "attempts.h"

enum { most = 2000 };
static MPI_Comm made[most], idle[most];

int main(int argc, char** argv) {
  start(&argc, &argv);
  const int in_turn = argc > 2 && strcmp(argv[1], "in_turn") == 0, n = argc > 2 ? atoi(argv[2]) : 0;
  const int idle_ones = argc > 3 ? atoi(argv[3]) : 0;
  for (int i = 0; i < idle_ones; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &idle[i]);
  for (int i = 0; i < n; ++i) {
    MPI_Comm* one = &made[in_turn ? 0 : i % most];
    MPI_Comm_dup(MPI_COMM_WORLD, one);
    use_up_first_calls(*one);
    attempt(i % 2 ? scan : bcast, 1, 0, *one);
    if (in_turn) MPI_Comm_free(one);
  }
  for (int i = n - 1; !in_turn && i >= 0; --i) {
    attempt(exscan, 1, 0, made[i]);
    MPI_Comm_free(&made[i]);
  }
  for (int i = 0; i < idle_ones; ++i) MPI_Comm_free(&idle[i]);
  attempt_all(MPI_COMM_WORLD);
  return conclude();
}
