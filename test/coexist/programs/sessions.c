// SPDX-License-Identifier: MIT
// Communicators of a session, without MPI_Init ("only"), beside it ("both"), before it ("first"), and after
// MPI_Finalize ("outlives").
#include "../../preload/programs/check.h"

static MPI_Session session;
static MPI_Comm comm;

static void open_session(void) {
  MPI_Group group;
  if (MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session) != MPI_SUCCESS) exit(2);
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  MPI_Comm_create_from_group(group, "sessions.c", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
  MPI_Group_free(&group);
  if (comm == MPI_COMM_NULL) exit(2);
  MPI_Comm_rank(comm, &rank);
}

static void close_session(void) {
  MPI_Comm_free(&comm);
  MPI_Session_finalize(&session);
}

/// Uses a small type too: MPI was not asked before whether it takes it with the operator.
static void collectives(const char* where) {
  use_up_first_calls(comm);
  int right = all_are_right(9, 0, comm);
  const short one = 1;
  short sum = 0;
  MPI_Scan(&one, &sum, 1, MPI_SHORT, MPI_SUM, comm);
  right &= sum == rank + 1;
  if (rank == 0) printf("%s: %s\n", where, right ? "ok" : "WRONG");
  if (!right) exit_code = 1;
}

int main(int argc, char** argv) {
  const char* use = argc > 1 ? argv[1] : "";
  const int first = strcmp(use, "first") == 0, outlives = strcmp(use, "outlives") == 0;
  const int initializes = strcmp(use, "only") != 0;
  if (initializes && !first && !outlives) MPI_Init(&argc, &argv);
  open_session();
  if (first || outlives || !initializes) collectives("before MPI_Init");
  if (first || outlives) MPI_Init(&argc, &argv);
  if (initializes) collectives("after MPI_Init");
  if (outlives) {
    MPI_Finalize();
    collectives("after MPI_Finalize");
  }
  close_session();
  if (initializes && !outlives) MPI_Finalize();
  return exit_code;
}
