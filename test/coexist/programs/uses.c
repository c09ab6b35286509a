// SPDX-License-Identifier: MIT
// A library that calls MPI: the real one, or a serial stand-in that is linked to it or part of it.
#include <mpi.h>
#include <stddef.h>

#ifdef PADDED
const char padding[1 << 20] = {1};
#endif

static int sums(MPI_Comm comm, int n) {
  int sum = 0, wrong = 0;
  const int one = 1;
  MPI_Request request;
  wrong |= MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm) != MPI_SUCCESS || sum != n;
  sum = 0;
  wrong |= (MPI_Reduce(&one, &sum, 1, MPI_INT, MPI_SUM, n - 1, comm) != MPI_SUCCESS) << 1;
  wrong |= (MPI_Bcast(&sum, 1, MPI_INT, n - 1, comm) != MPI_SUCCESS || sum != n) << 2;
  wrong |= (MPI_Barrier(comm) != MPI_SUCCESS) << 3;
  sum = 0;
  wrong |= (MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm, &request) != MPI_SUCCESS) << 4;
  wrong |= (MPI_Wait(&request, MPI_STATUS_IGNORE) != MPI_SUCCESS || sum != n) << 5;
  return wrong;
}

int use(void) {
  int up = 0, n = 0, wrong = 0;
  MPI_Initialized(&up);
  if (!up) MPI_Init(NULL, NULL);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  for (int i = 0; i < 6; ++i) wrong |= sums(MPI_COMM_WORLD, n);
  return wrong;
}

#ifndef SERIAL
int end(void) { return MPI_Finalize(); }
#endif

#ifdef PROGRAM
int main(void) { return use(); }
#endif
