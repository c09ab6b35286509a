// SPDX-License-Identifier: MIT
// A program that ends MPI behind main, as libraries of C++ do in destructors of their static objects. By then the
// objects of the main thread are gone.
#include <unistd.h>

#include "check.h"

static void last_calls(void) {
  for (int n = 1; n < 40; n += 3) expect(all_are_right(n, n % size, MPI_COMM_WORLD), "behind main");
  end_section("behind main");
  MPI_Finalize();
  fflush(stdout);
  _exit(exit_code);
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  atexit(last_calls);
  expect(all_are_right(3, 0, MPI_COMM_WORLD), "in main");
  end_section("in main");
}
