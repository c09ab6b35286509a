// SPDX-License-Identifier: MIT
// The entry points for `use mpi_f08` under MPICH. Its other functions call MPI's C functions, which are watched; these
// call PMPI.
#include "shim/watch/entry.hpp"

namespace mpigraft::watch {
namespace fortran {

Word c_handle(Datatype its) { return static_cast<unsigned>(its.handle); }
Word c_handle(Op its) { return static_cast<unsigned>(its.handle); }
Word c_handle(Comm its) { return static_cast<unsigned>(its.handle); }

}  // namespace fortran
}  // namespace mpigraft::watch

MPIGRAFT_FORTRAN_ENTRY(MPI_Barrier, mpi_barrier_f08_, alike, comm)
MPIGRAFT_FORTRAN_ENTRY(MPI_Ibarrier, mpi_ibarrier_f08_, starts, comm, newrequest)
MPIGRAFT_FORTRAN_ENTRY(MPI_Barrier_init, mpi_barrier_init_f08_, starts, comm, w1, newrequest)
MPIGRAFT_FORTRAN_ENTRY(MPI_Comm_free, mpi_comm_free_f08_, alone, w1)
MPIGRAFT_FORTRAN_ENTRY(MPI_Comm_disconnect, mpi_comm_disconnect_f08_, alone, w1)
MPIGRAFT_FORTRAN_ENTRY(MPI_Finalize, mpi_finalize_f08_, last)
