// SPDX-License-Identifier: MIT
// A tool that comes before mpigraft and wraps MPI_Start alone.
#include <mpi.h>

int MPI_Start(MPI_Request* request) { return PMPI_Start(request); }
