// SPDX-License-Identifier: MIT
// Calls that may end in an MPI error, and what a program says of them: a wrong value is exit code 1, an MPI error 3.
#ifndef ATTEMPTS_H
#define ATTEMPTS_H

#include "../../preload/programs/check.h"

enum { wrong_value = 1, mpi_error = 3 };

static uint64_t refusals;  // calls of this rank that returned an error

static inline void attempt_by(MPI_Op op, enum collective c, int n, int root, MPI_Comm comm) {
  const enum outcome outcome = try_by(op, c, n, root, comm);
  expect(outcome != wrong_result, collective_names[c]);
  refusals += outcome == refused_call;
}

static inline void attempt(enum collective c, int n, int root, MPI_Comm comm) { attempt_by(MPI_SUM, c, n, root, comm); }

/// Makes few calls, with a result on every rank each: natively one of them takes up to 100 ms where ranks share cores.
static inline void attempt_all(MPI_Comm comm) {
  for (int c = 0; c < collective_count; ++c) attempt((enum collective)c, c % 2 ? 700 : 1, 0, comm);
}

/// Rank 0 prints what all ranks saw; its exit code is the program's.
static inline int conclude(void) {
  uint64_t all[2] = {failures, refusals};
  add_up(all);
  if (rank == 0) printf("%s\n", all[0] ? "WRONG" : all[1] ? "MPI errors" : "all right");
  MPI_Finalize();
  return rank != 0 ? 0 : all[0] ? wrong_value : all[1] ? mpi_error : 0;
}

#endif
