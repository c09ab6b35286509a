// SPDX-License-Identifier: MIT
// A library in front of MPICH with the same binary interface, whose version text is MPI_TEXT. With MPI_OTHERWISE its
// types have other sizes.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

// MPICH 5 itself calls these by the names that mpich_family.py gives to what MPI-4 added. The tests' programs do not.
#define RENAMED(name) \
  void XMPI_##name(void) { abort(); }
RENAMED(Comm_create_from_group)
RENAMED(Pack_c)
RENAMED(Unpack_c)
RENAMED(Type_get_contents_c)
RENAMED(Type_get_envelope_c)
RENAMED(Scan_c)
RENAMED(Exscan_c)
RENAMED(Bcast_c)
RENAMED(Reduce_c)
RENAMED(Allreduce_c)
RENAMED(Iscan_c)
RENAMED(Ibcast_c)

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
