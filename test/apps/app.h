// SPDX-License-Identifier: MIT
// The mini programs take a number of steps and check their own result; rank 0 prints the outcome.
#pragma once

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size;

/// The number of steps on the command line, or `usual`.
static int start(int* argc, char*** argv, int usual) {
  MPI_Init(argc, argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return *argc > 1 ? atoi((*argv)[1]) : usual;
}

/// Neighbours on a line, or nobody.
static inline int left_neighbour(void) { return rank > 0 ? rank - 1 : MPI_PROC_NULL; }
static inline int right_neighbour(void) { return rank + 1 < size ? rank + 1 : MPI_PROC_NULL; }

/// Ends the program. The exit code is 0 if the result is right on every rank.
static int end(const char* name, int right) {
  int all_right = 0;
  MPI_Reduce(&right, &all_right, 1, MPI_INT, MPI_LAND, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%s: %s\n", name, all_right ? "right" : "WRONG");
  MPI_Finalize();
  return rank == 0 && !all_right;
}
