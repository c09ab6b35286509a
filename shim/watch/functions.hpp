// SPDX-License-Identifier: MIT
// THE table of watched functions: those that block, and those that start an operation to wait for. Entry points, the
// trace and the explanation of a hang know no more about a function than its row here.
#pragma once

#include <string_view>

// A row has the function, which ranks call it together (Callers), and its parameters, by the names that told.hpp
// explains; w1 to w9 are those that nobody looks at. `starts` rows name only what identifies the operation.
// clang-format off

// These have a form for large counts, and under Open MPI entry points for Fortran.
#define MPIGRAFT_WATCHED_COLLECTIVES(X)                             \
  X(Scan, alike, sendbuf, recvbuf, count, datatype, op, comm)                 \
  X(Exscan, alike, sendbuf, recvbuf, count, datatype, op, comm)               \
  X(Bcast, alike, recvbuf, count, datatype, root, comm)                  \
  X(Reduce, alike, sendbuf, recvbuf, count, datatype, op, root, comm)         \
  X(Allreduce, alike, sendbuf, recvbuf, count, datatype, op, comm)            \
  X(Reduce_scatter, alike, sendbuf, recvbuf, counts, datatype, op, comm)      \
  X(Reduce_scatter_block, alike, sendbuf, recvbuf, count, datatype, op, comm) \
  X(Allgather, alike, sendbuf, sendcount, sendtype, recvbuf, count, datatype, comm)        \
  X(Allgatherv, alike, sendbuf, sendcount, sendtype, recvbuf, counts, displs, datatype, comm)

// These have a form for large counts.
#define MPIGRAFT_WATCHED_WITH_COUNTS(X)                                                      \
  X(Send, alone, w1, count, datatype, dest, tag, comm)                                       \
  X(Ssend, alone, w1, count, datatype, dest, tag, comm)                                      \
  X(Rsend, alone, w1, count, datatype, dest, tag, comm)                                      \
  X(Recv, alone, w1, count, datatype, source, tag, comm, w2)                                 \
  X(Mrecv, alone, w1, count, datatype, w2, w3)                                               \
  X(Sendrecv, alone, w1, count, datatype, dest, tag, w2, w3, w4, source, recvtag, comm, w5)  \
  X(Sendrecv_replace, alone, w1, count, datatype, dest, tag, source, recvtag, comm, w2)      \
  X(Gather, alike, buf, count, datatype, w1, other_count, other_datatype, root, comm)        \
  X(Gatherv, together, buf, count, datatype, w1, w2, w3, w4, root, comm)                     \
  X(Scatter, alike, w1, other_count, other_datatype, buf, count, datatype, root, comm)       \
  X(Scatterv, together, w1, w2, w3, w4, buf, count, datatype, root, comm)                    \
  X(Alltoall, alike, buf, count, datatype, w1, other_count, other_datatype, comm)            \
  X(Alltoallv, together, w1, w2, w3, w4, w5, w6, w7, w8, comm)                               \
  X(Alltoallw, together, w1, w2, w3, w4, w5, w6, w7, w8, comm)                               \
  X(Neighbor_allgather, together, w1, count, datatype, w2, w3, w4, comm)                     \
  X(Neighbor_allgatherv, together, w1, count, datatype, w2, w3, w4, w5, comm)                \
  X(Neighbor_alltoall, together, w1, count, datatype, w2, w3, w4, comm)                      \
  X(Neighbor_alltoallv, together, w1, w2, w3, w4, w5, w6, w7, w8, comm)                      \
  X(Neighbor_alltoallw, together, w1, w2, w3, w4, w5, w6, w7, w8, comm)                      \
  X(Win_create, together, w1, w2, w3, w4, comm, w5)                                          \
  X(Win_allocate, together, w1, w2, w3, comm, w4, w5)                                        \
  X(Win_allocate_shared, together, w1, w2, w3, comm, w4, w5)                                 \
  X(File_read_all, alone, w1, w2, count, datatype, w3)                                       \
  X(File_write_all, alone, w1, w2, count, datatype, w3)                                      \
  X(File_read_at_all, alone, w1, w2, w3, count, datatype, w4)                                \
  X(File_write_at_all, alone, w1, w2, w3, count, datatype, w4)                               \
  X(Isend, starts, w1, w2, w3, dest, tag, comm, newrequest)                                  \
  X(Issend, starts, w1, w2, w3, dest, tag, comm, newrequest)                                 \
  X(Irsend, starts, w1, w2, w3, dest, tag, comm, newrequest)                                 \
  X(Ibsend, starts, w1, w2, w3, dest, tag, comm, newrequest)                                 \
  X(Irecv, starts, w1, w2, w3, source, tag, comm, newrequest)                                \
  X(Imrecv, starts, w1, w2, w3, w4, newrequest)                                              \
  X(Isendrecv, starts, w1, w2, w3, dest, tag, w4, w5, w6, source, recvtag, comm, newrequest) \
  X(Isendrecv_replace, starts, w1, w2, w3, dest, tag, source, recvtag, comm, newrequest)     \
  X(Send_init, starts, w1, w2, w3, dest, tag, comm, newrequest)                              \
  X(Ssend_init, starts, w1, w2, w3, dest, tag, comm, newrequest)                             \
  X(Rsend_init, starts, w1, w2, w3, dest, tag, comm, newrequest)                             \
  X(Bsend_init, starts, w1, w2, w3, dest, tag, comm, newrequest)                             \
  X(Recv_init, starts, w1, w2, w3, source, tag, comm, newrequest)                            \
  X(Ibcast, starts, w1, w2, w3, w4, comm, newrequest)                                        \
  X(Igather, starts, w1, w2, w3, w4, w5, w6, w7, comm, newrequest)                           \
  X(Igatherv, starts, w1, w2, w3, w4, w5, w6, w7, w8, comm, newrequest)                      \
  X(Iscatter, starts, w1, w2, w3, w4, w5, w6, w7, comm, newrequest)                          \
  X(Iscatterv, starts, w1, w2, w3, w4, w5, w6, w7, w8, comm, newrequest)                     \
  X(Iallgather, starts, w1, w2, w3, w4, w5, w6, comm, newrequest)                            \
  X(Iallgatherv, starts, w1, w2, w3, w4, w5, w6, w7, comm, newrequest)                       \
  X(Ialltoall, starts, w1, w2, w3, w4, w5, w6, comm, newrequest)                             \
  X(Ialltoallv, starts, w1, w2, w3, w4, w5, w6, w7, w8, comm, newrequest)                    \
  X(Ialltoallw, starts, w1, w2, w3, w4, w5, w6, w7, w8, comm, newrequest)                    \
  X(Ireduce, starts, w1, w2, w3, w4, w5, w6, comm, newrequest)                               \
  X(Iallreduce, starts, w1, w2, w3, w4, w5, comm, newrequest)                                \
  X(Ireduce_scatter, starts, w1, w2, w3, w4, w5, comm, newrequest)                           \
  X(Ireduce_scatter_block, starts, w1, w2, w3, w4, w5, comm, newrequest)                     \
  X(Iscan, starts, w1, w2, w3, w4, w5, comm, newrequest)                                     \
  X(Iexscan, starts, w1, w2, w3, w4, w5, comm, newrequest)                                   \
  X(Bcast_init, starts, w1, w2, w3, w4, comm, w5, newrequest)                                \
  X(Allgather_init, starts, w1, w2, w3, w4, w5, w6, comm, w7, newrequest)                    \
  X(Allgatherv_init, starts, w1, w2, w3, w4, w5, w6, w7, comm, w8, newrequest)               \
  X(Reduce_init, starts, w1, w2, w3, w4, w5, w6, comm, w7, newrequest)                       \
  X(Allreduce_init, starts, w1, w2, w3, w4, w5, comm, w6, newrequest)                        \
  X(Reduce_scatter_init, starts, w1, w2, w3, w4, w5, comm, w6, newrequest)                   \
  X(Reduce_scatter_block_init, starts, w1, w2, w3, w4, w5, comm, w6, newrequest)             \
  X(Scan_init, starts, w1, w2, w3, w4, w5, comm, w6, newrequest)                             \
  X(Exscan_init, starts, w1, w2, w3, w4, w5, comm, w6, newrequest)

// These have entry points for Fortran under Open MPI.
#define MPIGRAFT_WATCHED_IN_FORTRAN(X)\
  X(Barrier, alike, comm)       \
  X(Comm_free, alone, w1)       \
  X(Comm_disconnect, alone, w1) \
  X(Finalize, last)

#define MPIGRAFT_WATCHED_OTHERS(X)                                                       \
  X(Probe, alone, source, tag, comm, w1)                                                 \
  X(Mprobe, alone, source, tag, comm, w1, w2)                                            \
  X(Wait, alone, request, w1)                                                            \
  X(Waitall, alone, number, requests, w1)                                                \
  X(Waitany, alone, number, requests, w1, w2)                                            \
  X(Waitsome, alone, number, requests, w1, w2, w3)                                       \
  X(Comm_dup, together, comm, newcomm)                                                   \
  X(Comm_dup_with_info, together, comm, w1, newcomm)                                     \
  X(Comm_split, together, comm, w1, w2, newcomm)                                         \
  X(Comm_split_type, together, comm, w1, w2, w3, newcomm)                                \
  X(Comm_create, together, comm, w1, newcomm)                                            \
  X(Comm_create_group, alone, comm, w1, w2, newcomm)                                     \
  X(Cart_create, together, comm, w1, w2, w3, w4, newcomm)                                \
  X(Cart_sub, together, comm, w1, newcomm)                                               \
  X(Graph_create, together, comm, w1, w2, w3, w4, newcomm)                               \
  X(Dist_graph_create, together, comm, w1, w2, w3, w4, w5, w6, w7, newcomm)              \
  X(Dist_graph_create_adjacent, together, comm, w1, w2, w3, w4, w5, w6, w7, w8, newcomm) \
  X(Intercomm_create, together, comm, w1, w2, w3, w4, newcomm)                           \
  X(Intercomm_merge, alone, w1, w2, newcomm)                                             \
  X(Comm_accept, together, w1, w2, root, comm, newcomm)                                  \
  X(Comm_connect, together, w1, w2, root, comm, newcomm)                                 \
  X(Comm_spawn, together, w1, w2, w3, w4, root, comm, newcomm, w5)                       \
  X(Win_create_dynamic, together, w1, comm, w2)                                          \
  X(Win_free, alone, w1)                                                                 \
  X(Win_fence, alone, w1, w2)                                                            \
  X(Win_start, alone, w1, w2, w3)                                                        \
  X(Win_complete, alone, w1)                                                             \
  X(Win_wait, alone, w1)                                                                 \
  X(Win_lock, alone, w1, w2, w3, w4)                                                     \
  X(Win_lock_all, alone, w1, w2)                                                         \
  X(Win_unlock, alone, w1, w2)                                                           \
  X(Win_unlock_all, alone, w1)                                                           \
  X(Win_flush, alone, w1, w2)                                                            \
  X(Win_flush_all, alone, w1)                                                            \
  X(Win_flush_local, alone, w1, w2)                                                      \
  X(Win_flush_local_all, alone, w1)                                                      \
  X(File_open, together, comm, w1, w2, w3, w4)                                           \
  X(File_close, alone, w1)                                                               \
  X(Ibarrier, starts, comm, newrequest)                                                  \
  X(Barrier_init, starts, comm, w1, newrequest)
// clang-format on

namespace mpigraft::watch {

/// The ranks that call a function together.
enum class Callers {
  alone,     // this rank for itself, or ranks that are not known
  together,  // all ranks of the communicator
  alike,     // all ranks of the communicator, each with the same number of bytes
  starts,    // this rank, and it does not wait
  last,      // all ranks, in MPI_Finalize
};

}  // namespace mpigraft::watch
