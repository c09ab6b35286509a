// SPDX-License-Identifier: MIT
// The part of a program that knows MPI, for programs that do not: loaded by dlopen, as Python loads its extensions.
#include "../../preload/programs/check.h"

int plugin_start(void) {
  start(NULL, NULL);
  return rank;
}

/// The compiler makes the call the last jump of the function, so it returns straight into the program.
int plugin_sum(const int64_t* mine, int64_t* sum) {
  return MPI_Scan(mine, sum, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
}

int plugin_finish(void) {
  expect(all_are_right(700, 0, MPI_COMM_WORLD), "plugin");
  end_section("the plugin's collectives");
  return finish();
}

__attribute__((destructor)) static void unloaded(void) {
  if (rank == 0) printf("plugin unloaded\n"), fflush(stdout);
}
