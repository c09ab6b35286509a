// SPDX-License-Identifier: MIT
// An MPI with the standard ABI of MPI-5, as MPICH 5 has one beside its own: it prints what arrives at it, and computes
// nothing. The low half of its communicators looks like a handle of MPICH's own ABI. With NO_VERSION it lacks
// MPI_Abi_get_version, as MPICH 4.3 does. With MPI_TEXT in the environment, that is what it says of itself.
#include <stdio.h>
#include <stdlib.h>

#include "standard_abi.h"

// The program's calls, which a preloaded library takes.
#define ALIAS(name) extern __typeof__(PMPI_##name) MPI_##name __attribute__((weak, alias("PMPI_" #name)));

/// Lets what a rank prints come in one piece.
int PMPI_Init(int* argc, char*** argv) {
  static char buffer[1 << 16];
  return (void)argc, (void)argv, setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
}
int PMPI_Finalize(void) { return 0; }
int PMPI_Comm_dup(MPI_Comm comm, MPI_Comm* twin) {
  *twin = (MPI_Comm)((uintptr_t)0x7f1284000000 + (uintptr_t)comm);
  return 0;
}
ALIAS(Init)
ALIAS(Finalize)
ALIAS(Comm_dup)

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

#define SHOW(name) printf(" %#llx", (unsigned long long)name)
#define X(function, signature, FORM)                           \
  int PMPI_##function(MPIGRAFT_PARAMETERS_##signature(FORM)) { \
    fputs(#function, stdout);                                  \
    MPIGRAFT_PARAMETERS_##signature(SHOW);                     \
    return puts("") < 0;                                       \
  }                                                            \
  ALIAS(function)
ALL_FUNCTIONS
