// SPDX-License-Identifier: MIT
// An MPI with the standard ABI of MPI-5, as MPICH 5 has one beside its own: it prints what arrives at it, and computes
// nothing. The low half of its communicators looks like a handle of MPICH's own ABI. With NO_VERSION it lacks
// MPI_Abi_get_version, as MPICH 4.3 does. With MPI_TEXT in the environment, that is what it says of itself.
#include "standard_abi.h"

#include <stdio.h>
#include <stdlib.h>

static int arrived(const char* name, const void* in, const void* out, MPI_Count count, MPI_Datatype type, MPI_Op op,
                   int root, MPI_Comm comm) {
  printf("%s %p %p %lld %p %p %d %p\n", name, in, out, (long long)count, (void*)type, (void*)op, root, (void*)comm);
  return 0;
}

int PMPI_Init(int* argc, char*** argv) { return (void)argc, (void)argv, 0; }
int PMPI_Finalize(void) { return 0; }
int PMPI_Initialized(int* flag) { return *flag = 1, 0; }
int PMPI_Finalized(int* flag) { return *flag = 0; }
int PMPI_Get_library_version(char* version, int* length) {
  const char* const text = getenv("MPI_TEXT");
  *length = sprintf(version, "%s", text ? text : "MPICH Version:      5.0.0\nMPICH Release date: unreleased\n");
  return 0;
}
#ifndef NO_VERSION
int PMPI_Abi_get_version(int* major, int* minor) { return *major = 1, *minor = 0; }
#endif

int PMPI_Comm_dup(MPI_Comm comm, MPI_Comm* twin) {
  *twin = (MPI_Comm)((uintptr_t)0x7f1284000000 + (uintptr_t)comm);
  return 0;
}

int PMPI_Scan(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return arrived("Scan", in, out, count, type, op, -1, comm);
}
int PMPI_Scan_c(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return arrived("Scan_c", in, out, count, type, op, -1, comm);
}
int PMPI_Exscan(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return arrived("Exscan", in, out, count, type, op, -1, comm);
}
int PMPI_Exscan_c(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return arrived("Exscan_c", in, out, count, type, op, -1, comm);
}
int PMPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  return arrived("Bcast", NULL, data, count, type, NULL, root, comm);
}
int PMPI_Bcast_c(void* data, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm) {
  return arrived("Bcast_c", NULL, data, count, type, NULL, root, comm);
}
int PMPI_Reduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
  return arrived("Reduce", in, out, count, type, op, root, comm);
}
int PMPI_Reduce_c(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
  return arrived("Reduce_c", in, out, count, type, op, root, comm);
}

// The program's calls, which a preloaded library takes.
#define ALIAS(name) extern __typeof__(MPI_##name) MPI_##name __attribute__((weak, alias("PMPI_" #name)))
ALIAS(Init);
ALIAS(Finalize);
ALIAS(Comm_dup);
ALIAS(Scan);
ALIAS(Scan_c);
ALIAS(Exscan);
ALIAS(Exscan_c);
ALIAS(Bcast);
ALIAS(Bcast_c);
ALIAS(Reduce);
ALIAS(Reduce_c);
