/* SPDX-License-Identifier: MIT */
/* A program with an error: it reduces memory that nobody has written, by an operator that decides on its values. */
#include <mpi.h>
#include <stdlib.h>

static void larger(void* in, void* inout, int* count, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *count; ++i)
    if (((int*)in)[i] > ((int*)inout)[i]) ((int*)inout)[i] = ((int*)in)[i];
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Op op;
  MPI_Op_create(larger, 1, &op);
  enum { n = 100 };
  int result[n];
  int* input = malloc(sizeof result);
  if (input) MPI_Scan(input, result, n, MPI_INT, op, MPI_COMM_WORLD);
  free(input);
  MPI_Op_free(&op);
  MPI_Finalize();
  return 0;
}
