// SPDX-License-Identifier: MIT
// A serial stand-in for MPI, as serial builds of simulation codes bring one. Its handles look like MPICH's. With
// NAMES_ITSELF it is another MPI library, which has the functions that tell its name.
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int copy(const void* from, void* to, int n, MPI_Datatype type) {
  if (type != MPI_INT) return MPI_ERR_TYPE;
  memcpy(to, from, n * sizeof(int));
  return MPI_SUCCESS;
}

int MPI_Initialized(int* is) { return *is = 1, MPI_SUCCESS; }
int MPI_Init(int* argc, char*** argv) { return (void)argc, (void)argv, MPI_SUCCESS; }
int MPI_Comm_size(MPI_Comm comm, int* n) { return (void)comm, *n = 1, MPI_SUCCESS; }
int MPI_Barrier(MPI_Comm comm) { return (void)comm, MPI_SUCCESS; }
int MPI_Bcast(void* x, int n, MPI_Datatype type, int root, MPI_Comm comm) {
  return (void)x, (void)n, (void)type, (void)root, (void)comm, MPI_SUCCESS;
}
int MPI_Allreduce(const void* x, void* y, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return (void)op, (void)comm, copy(x, y, n, type);
}
int MPI_Reduce(const void* x, void* y, int n, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
  return (void)op, (void)root, (void)comm, copy(x, y, n, type);
}
int MPI_Iallreduce(const void* x, void* y, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request* request) {
  return (void)op, (void)comm, *request = MPI_REQUEST_NULL, copy(x, y, n, type);
}
int MPI_Wait(MPI_Request* request, MPI_Status* status) { return (void)request, (void)status, MPI_SUCCESS; }

#ifdef NAMES_ITSELF
int PMPI_Initialized(int* is) { return *is = 1, MPI_SUCCESS; }
int PMPI_Get_library_version(char* text, int* length) {
  return *length = sprintf(text, "A stand-in for MPI 1.0"), MPI_SUCCESS;
}
#endif
