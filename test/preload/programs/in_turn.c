// SPDX-License-Identifier: MIT
// `in_turn N CALLS`: N times a duplicate, a split that reverses the ranks, and a duplicate of MPI_COMM_SELF, used CALLS
// times each and freed; one rank makes a wrong call more than the others. Prints how many communicators a rank could
// make beside them.
#include "check.h"

enum { kinds = 3 };

static void use(MPI_Comm comm, int turn, int calls) {
  for (int i = turn; i < turn + calls; ++i) expect(is_right(i % collective_count, 3, 0, comm), "collective");
}

/// One rank makes a wrong call, which MPI refuses there, before anything is sent.
static void mistake(MPI_Comm comm) {
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  if (rank == size - 1) expect(MPI_Bcast(NULL, 3, MPI_INT64_T, 0, comm) != MPI_SUCCESS, "a null buffer is none");
}

static void all_kinds(int n, int calls) {
  for (int turn = 0; turn < n; ++turn) {
    MPI_Comm comms[kinds];
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[0]);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comms[1]);
    MPI_Comm_dup(MPI_COMM_SELF, &comms[2]);
    for (int k = 0; k < kinds; ++k) {
      use(comms[k], turn, calls / 2);
      mistake(comms[k]);
      use(comms[k], turn + calls / 2, calls - calls / 2);
    }
    const int left = turn == 0 ? spare_communicators() : 0;
    if (turn == 0 && rank == 0) printf("%d more\n", left);
    for (int k = 0; k < kinds; ++k) MPI_Comm_free(&comms[k]);
  }
  end_section("in turn");
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  if (argc < 3) exit(2);
  all_kinds(atoi(argv[1]), atoi(argv[2]));
  return finish();
}
