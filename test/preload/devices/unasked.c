// SPDX-License-Identifier: MIT
// A GPU's driver that cannot be asked where buffers lie. `unasked DRIVER all|one`: loaded by all ranks or by one before
// their first collective, so that none is grafted. `unasked DRIVER late`: loaded after it, so that buffers which the
// CPU reads are grafted as before, and one that it cannot read is an error on all ranks.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/mman.h>

#include "../programs/check.h"

static void expect_sum(const char* what) {
  const int mine = rank + 1;
  int sum = 0;
  MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  expect(sum == size * (size + 1) / 2, what);
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  const char* const when = argc > 2 ? argv[2] : "";
  if (strcmp(when, "late") == 0) expect_sum("before the driver");
  if ((strcmp(when, "one") != 0 || rank == size - 1) && dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) == NULL) return 2;
  for (int i = 0; i < 3; ++i) expect_sum("with the driver");
  if (strcmp(when, "late") == 0) {
    const int mine = 1;
    int sum = 0;
    void* const unreadable = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    const int code = MPI_Allreduce(rank == size - 1 ? unreadable : &mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect(class_of(code) == MPI_ERR_OTHER, "class of the error");
    expect_sum("after the error");
  }
  end_section("unasked");
  return finish();
}
