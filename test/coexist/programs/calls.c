// SPDX-License-Identifier: MIT
// A known number of calls of each kind: 2 of the first collective of the table, 3 of the second, and so on; 6
// MPI_Alltoall and one MPI_Comm_dup. Tells if the system takes it for a program of another user, which its environment
// must not control. `calls CODE` ends with that exit code on rank 0 where all is right; `calls exit|_exit|return` ends
// without MPI_Finalize, on all ranks alike and with exit code 3.
#include <sys/auxv.h>
#include <unistd.h>

#include "../../preload/programs/check.h"

static int end_early(const char* how) {
  fflush(stdout);
  if (exit_code != 0) return 1;
  MPI_Barrier(MPI_COMM_WORLD);  // mpiexec stops the others when one rank ends so
  if (strcmp(how, "exit") == 0) exit(3);
  if (strcmp(how, "_exit") == 0) _exit(3);
  return 3;
}

int main(int argc, char** argv) {
  MPI_Comm twin;
  start(&argc, &argv);
  if (rank == 0 && getauxval(AT_SECURE)) printf("secure\n");
  for (int c = 0; c < collective_count; ++c)
    for (int k = 0; k < c + 2; ++k)
      expect(is_right((enum collective)c, k % 2 ? 700 : 1, k % size, MPI_COMM_WORLD), collective_names[c]);
  for (int k = 0; k < 6; ++k) {
    int all[64], theirs[64];
    for (int i = 0; i < size; ++i) all[i] = rank;
    MPI_Alltoall(all, 1, MPI_INT, theirs, 1, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < size; ++i) expect(theirs[i] == i, "alltoall");
  }
  MPI_Comm_dup(MPI_COMM_WORLD, &twin);
  MPI_Comm_free(&twin);
  end_section("collectives");
  const char* const end = argc > 1 ? argv[1] : "0";
  if (*end < '0' || *end > '9') return end_early(end);
  finish();
  return exit_code == 0 && rank == 0 ? atoi(end) : exit_code;
}
