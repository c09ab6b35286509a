// SPDX-License-Identifier: MIT
// The entry points for `use mpi_f08` under MPICH. Its other functions call MPI's C functions, which are watched; these
// call PMPI.
#include "shim/watch/entry.hpp"

MPIGRAFT_WATCHED_IN_FORTRAN(mpi_barrier_f08_, MPI_Barrier, alike, comm)
MPIGRAFT_WATCHED_IN_FORTRAN(mpi_ibarrier_f08_, MPI_Ibarrier, starts, comm, newrequest)
MPIGRAFT_WATCHED_IN_FORTRAN(mpi_barrier_init_f08_, MPI_Barrier_init, starts, comm, info, newrequest)

#define WITHOUT_COUNTS(function, lower, ...)                         \
  static_assert(mpigraft::abi::is_lower_case_of(#lower, #function)); \
  MPIGRAFT_WATCHED_IN_FORTRAN(mpi_##lower##_f08_, MPI_##function, __VA_ARGS__)
MPIGRAFT_WITHOUT_COUNTS(WITHOUT_COUNTS)

#define END(function, lower, upper, ...) MPIGRAFT_WATCHED_IN_FORTRAN(mpi_##lower##_f08_, MPI_##function, __VA_ARGS__)
MPIGRAFT_ENDS(END)
