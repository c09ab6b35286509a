// SPDX-License-Identifier: MIT
// The entry points for `use mpi_f08` under MPICH. Most of its functions call MPI's C functions, which are ours; these
// call PMPI. A handle of mpi_f08 is a structure with one integer, the C handle. No tool sees the call of the C function
// of this library, because it does not see MPICH's call either (the library is linked with -Bsymbolic-functions).
#include "shim/entry/intercept.hpp"
#include "shim/entry/poll.hpp"

MPIGRAFT_BY_C(mpi_barrier_f08_, MPI_Barrier, comm)
MPIGRAFT_BY_C(mpi_ibarrier_f08_, MPI_Ibarrier, comm, newrequest)
MPIGRAFT_BY_C(mpi_barrier_init_f08_, MPI_Barrier_init, comm, info, newrequest)

#define END(function, lower, upper, callers, ...) \
  MPIGRAFT_BY_C(mpi_##lower##_f08_, MPI_##function __VA_OPT__(, ) __VA_ARGS__)
MPIGRAFT_ENDS(END)

#define START(function, lower, upper, what, ...) MPIGRAFT_BY_C(mpi_##lower##_f08_, MPI_##function, __VA_ARGS__)
MPIGRAFT_STARTS(START)

#define POLL(function, lower, upper, ...) MPIGRAFT_POLL_IN_FORTRAN(mpi_##lower##_f08_, __VA_ARGS__)
MPIGRAFT_POLLS(POLL)
