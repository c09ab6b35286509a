// SPDX-License-Identifier: MIT
// Two ranks spawn two more, merge with them and share collectives: `spawns [NAME=VALUE ...]`, the environment that the
// spawned ones have in addition. Collectives among the spawned ones, on the intercommunicator, and on all four.
#include "../../preload/programs/check.h"

enum { most_words = 20 };

/// env NAME=VALUE ... program
static MPI_Comm spawned(int words, char** environment, char* program) {
  char* command[most_words + 2];
  MPI_Comm children;
  int n = 0;
  for (; n < words && n < most_words; ++n) command[n] = environment[n];
  command[n] = program;
  command[n + 1] = NULL;
  MPI_Comm_spawn("/usr/bin/env", command, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
  return children;
}

/// The spawned ones receive what rank 0 of the others sends.
static void across(MPI_Comm inter, int is_child) {
  int64_t number = is_child ? -1 : 42;
  MPI_Bcast(&number, 1, MPI_INT64_T, is_child ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL, inter);
  expect(number == 42, "broadcast to the other side");
}

int main(int argc, char** argv) {
  MPI_Comm inter, all;
  start(&argc, &argv);
  MPI_Comm_get_parent(&inter);
  const int is_child = inter != MPI_COMM_NULL;
  if (!is_child) inter = spawned(argc - 1, argv + 1, argv[0]);
  expect(all_are_right(9, 0, MPI_COMM_WORLD), "own world");
  across(inter, is_child);
  MPI_Intercomm_merge(inter, is_child, &all);
  expect(all_are_right(9, 3, all), "both worlds");
  MPI_Comm_free(&all);
  end_section(is_child ? "spawned" : "spawning");
  MPI_Comm_disconnect(&inter);
  return finish();
}
