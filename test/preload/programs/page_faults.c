// SPDX-License-Identifier: MIT
// How many pages a large reduction touches for the first time, when it is not the first one.
#include <malloc.h>
#include <sys/resource.h>

#include "check.h"

enum { elements = 1 << 20, calls = 8 };

static long faults(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

int main(int argc, char** argv) {
  mallopt(M_MMAP_THRESHOLD, 1 << 20);  // a large block that is freed goes back to the system, in every C library
  start(&argc, &argv);
  long* in = calloc(elements, sizeof *in);
  long* out = calloc(elements, sizeof *out);
  long before = 0;
  for (int i = -2; i < calls; ++i) {
    if (i == 0) before = faults();
    MPI_Reduce(in, out, elements, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  }
  if (rank == 0) printf("faults %ld\n", (faults() - before) / calls);
  free(in), free(out);
  return finish();
}
