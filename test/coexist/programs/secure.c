// SPDX-License-Identifier: MIT
// Prints whether the system takes it for a program of another user, which its environment must not control.
#include <sys/auxv.h>

#include "../../preload/programs/check.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  expect(all_are_right(9, 0, MPI_COMM_WORLD), "collectives");
  if (rank == 0) printf("secure: %lu\n", getauxval(AT_SECURE));
  end_section("collectives");
  return finish();
}
