// SPDX-License-Identifier: MIT
// Broadcasts of 64 KiB, for mpigraft compare. compared CALLS [fails|prints|apart]: a rank whose process has
// libmpigraft.so loaded ends with exit code 3, or prints another result; or all calls are on another communicator than
// MPI_COMM_WORLD.
#include "check.h"

enum { LENGTH = 65536 };

static int is_grafted(void) {
  const char* const preloaded = getenv("LD_PRELOAD");
  const char* const forced = getenv("MPIGRAFT_FORCE");
  return preloaded && strstr(preloaded, "libmpigraft") && !(forced && strcmp(forced, "native") == 0);
}

int main(int argc, char** argv) {
  static char block[LENGTH];
  const int calls = argc > 1 ? atoi(argv[1]) : 1;
  const char* const otherwise = argc > 2 ? argv[2] : "";
  MPI_Comm comm = MPI_COMM_WORLD;
  start(&argc, &argv);
  if (strcmp(otherwise, "apart") == 0) MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  for (int i = 0; i < calls; ++i) MPI_Bcast(block, LENGTH, MPI_CHAR, 0, comm);
  if (rank == 0)
    printf("%d broadcasts%s\n", calls, is_grafted() && strcmp(otherwise, "prints") == 0 ? ", grafted" : "");
  MPI_Finalize();
  return is_grafted() && strcmp(otherwise, "fails") == 0 ? 3 : 0;
}
