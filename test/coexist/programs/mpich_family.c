// SPDX-License-Identifier: MIT
// Before MPICH: another library of its binary interface, which says MPI_TEXT of itself. With MPI_OTHERWISE its types
// have other sizes.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int PMPI_Get_library_version(char* version, int* length) {
  *length = sprintf(version, "%s", getenv("MPI_TEXT"));
  return MPI_SUCCESS;
}

int PMPI_Type_size_x(MPI_Datatype type, MPI_Count* size) {
  int (*const next)(MPI_Datatype, MPI_Count*) = (int (*)(MPI_Datatype, MPI_Count*))dlsym(RTLD_NEXT, "PMPI_Type_size_x");
  const int error = next(type, size);
  if (getenv("MPI_OTHERWISE")) ++*size;
  return error;
}
