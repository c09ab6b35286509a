// SPDX-License-Identifier: MIT
// Context ids run out: `contexts WHO WHEN`, where WHO duplicates until MPI refuses ("all" ranks MPI_COMM_WORLD, or one
// rank MPI_COMM_SELF) "before" or "after" the first collectives. Then collectives on old and new communicators, whose
// errors are fatal.
#include "attempts.h"

enum { most = 4096 };
static MPI_Comm made[most];

static int use_up(const char* who) {
  int n = 0;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  if (strcmp(who, "all") == 0)
    while (n < most && MPI_Comm_dup(MPI_COMM_WORLD, &made[n]) == MPI_SUCCESS) ++n;
  else if (atoi(who) == rank)
    while (n < most && MPI_Comm_dup(MPI_COMM_SELF, &made[n]) == MPI_SUCCESS) ++n;
  if (n == most) exit(2);  // no fault: MPI has more of them
  for (int i = 0; i < n; ++i) MPI_Comm_set_errhandler(made[i], MPI_ERRORS_ARE_FATAL);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
  return n;
}

int main(int argc, char** argv) {
  MPI_Comm twin;
  start(&argc, &argv);
  MPI_Comm_dup(MPI_COMM_WORLD, &twin);
  use_up_first_calls(twin);
  if (argc > 2 && strcmp(argv[2], "after") == 0) attempt_all(MPI_COMM_WORLD);
  int n = use_up(argv[1]);
  attempt_all(twin);
  attempt_all(MPI_COMM_WORLD);
  if (strcmp(argv[1], "all") == 0) {
    use_up_first_calls(made[n - 1]);
    attempt(scan, 3, 0, made[n - 1]);
  }
  while (n > 0) MPI_Comm_free(&made[--n]);
  MPI_Comm_free(&twin);
  MPI_Comm_dup(MPI_COMM_WORLD, &twin);
  use_up_first_calls(twin);
  attempt_all(twin);
  MPI_Comm_free(&twin);
  return conclude();
}
