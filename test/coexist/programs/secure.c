// SPDX-License-Identifier: MIT
// Prints whether the system takes it for a program of another user, which its environment must not control.
#include <sys/auxv.h>

#include "../../checked_call.h"
#include "../../preload/programs/check.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  for (int c = 0; c < collective_count; ++c) expect(is_right((enum collective)c, 9, 0, MPI_COMM_WORLD), "collective");
  if (rank == 0) printf("secure: %lu\n", getauxval(AT_SECURE));
  end_section("collectives");
  return finish();
}
