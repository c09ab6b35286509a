// SPDX-License-Identifier: MIT
// MPI_Abi_get_version of a library of MPI-5, for one that lacks it: ABI_MAJOR, or -1, as MPICH's own ABI.
#include <stdlib.h>

int PMPI_Abi_get_version(int* major, int* minor) {
  const char* said = getenv("ABI_MAJOR");
  *major = said ? atoi(said) : -1;
  *minor = said ? 0 : -1;
  return 0;
}
