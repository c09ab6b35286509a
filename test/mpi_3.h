// SPDX-License-Identifier: MIT
// Programs of the tests under an MPI without MPI-4: the functions that take MPI_Count are those that take int.
#pragma once

#include <mpi.h>

#define MPI_Scan_c MPI_Scan
#define MPI_Exscan_c MPI_Exscan
#define MPI_Bcast_c MPI_Bcast
#define MPI_Reduce_c MPI_Reduce
#define MPI_Allreduce_c MPI_Allreduce
#define MPI_Reduce_scatter_c MPI_Reduce_scatter
#define MPI_Reduce_scatter_block_c MPI_Reduce_scatter_block
#define MPI_Allgatherv_c MPI_Allgatherv
#define MPI_Allgather_c MPI_Allgather
#define MPI_Gather_c MPI_Gather
#define MPI_Scatter_c MPI_Scatter
#define MPI_Alltoall_c MPI_Alltoall
#define MPI_Neighbor_allgather_c MPI_Neighbor_allgather
#define MPI_Neighbor_alltoall_c MPI_Neighbor_alltoall
#define MPI_Send_c MPI_Send
#define MPI_Ssend_c MPI_Ssend
#define MPI_Isend_c MPI_Isend
#define MPI_Recv_c MPI_Recv
#define MPI_Sendrecv_c MPI_Sendrecv
