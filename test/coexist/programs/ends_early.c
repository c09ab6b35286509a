// SPDX-License-Identifier: MIT
// Ends without MPI_Finalize, on all ranks alike and with exit code 3: `ends_early exit|_exit|return`.
#include <unistd.h>

#include "../../preload/programs/check.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  expect(all_are_right(9, 0, MPI_COMM_WORLD), "collectives");
  end_section("collectives");
  fflush(stdout);
  if (exit_code != 0 || argc < 2) return 1;
  MPI_Barrier(MPI_COMM_WORLD);  // mpiexec stops the others when one rank ends so
  if (strcmp(argv[1], "exit") == 0) exit(3);
  if (strcmp(argv[1], "_exit") == 0) _exit(3);
  return 3;
}
