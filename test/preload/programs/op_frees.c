// SPDX-License-Identifier: MIT
// A tool that comes before mpigraft and wraps MPI_Op_free alone.
#include <mpi.h>

int MPI_Op_free(MPI_Op* op) { return PMPI_Op_free(op); }
