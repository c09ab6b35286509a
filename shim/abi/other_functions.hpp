// SPDX-License-Identifier: MIT
// THE table of the other functions of MPI that the libraries have entry points for. A row has the function; in some
// groups its name in Fortran, in lower and in upper case, or only in lower case, which the nonblocking form has; for
// the library that watches, which ranks call it together (watch::Callers); and its parameters, which parameters.hpp
// explains. Nobody looks at w1 to w8. `starts` rows name only what identifies the operation.
#pragma once

// clang-format off
// MPI begins.
#define MPIGRAFT_BEGINNINGS(X)      \
  X(Init, w1, w2)                   \
  X(Init_thread, w1, w2, number, w3)

// A communicator, or MPI, ends. These have entry points for Fortran.
#define MPIGRAFT_ENDS(X)                                                \
  X(Comm_free, comm_free, COMM_FREE, alone, oldcomm)                    \
  X(Comm_disconnect, comm_disconnect, COMM_DISCONNECT, alone, oldcomm)  \
  X(Finalize, finalize, FINALIZE, last)

// Persistent operations begin or are cancelled, or requests and operators end. The fourth word says which. These have
// entry points for Fortran.
#define MPIGRAFT_STARTS(X)                                   \
  X(Start, start, START, start, request)                     \
  X(Startall, startall, STARTALL, start, number, requests)   \
  X(Cancel, cancel, CANCEL, cancel, request)                 \
  X(Request_free, request_free, REQUEST_FREE, end, request)  \
  X(Op_free, op_free, OP_FREE, end, oldop)

// Polls: they look whether something has happened, and do not wait for it. These have entry points for Fortran.
#define MPIGRAFT_POLLS(X)                                                                                     \
  X(Iprobe, iprobe, IPROBE, source, tag, comm, w1, w2)                                                        \
  X(Improbe, improbe, IMPROBE, source, tag, comm, w1, w2, w3)                                                 \
  X(Test, test, TEST, request, w1, w2)                                                                        \
  X(Testall, testall, TESTALL, number, requests, w1, w2)                                                      \
  X(Testany, testany, TESTANY, number, requests, w1, w2, w3)                                                  \
  X(Testsome, testsome, TESTSOME, number, requests, w1, w2, w3)                                               \
  X(Request_get_status, request_get_status, REQUEST_GET_STATUS, w1, w2, w3)                                   \
  X(Request_get_status_all, request_get_status_all, REQUEST_GET_STATUS_ALL, number, requests, w1, w2)         \
  X(Request_get_status_any, request_get_status_any, REQUEST_GET_STATUS_ANY, number, requests, w1, w2, w3)     \
  X(Request_get_status_some, request_get_status_some, REQUEST_GET_STATUS_SOME, number, requests, w1, w2, w3)  \
  X(Parrived, parrived, PARRIVED, w1, number, w2)                                                             \
  X(Win_test, win_test, WIN_TEST, w1, w2)

// The rest is only watched: functions that block, and those that start an operation to wait for. Collectives that are
// not grafted have a nonblocking form, and the first two groups have forms for large counts.
#define MPIGRAFT_OTHER_COLLECTIVES(X)                                                            \
  X(Gather, gather, alike, buf, count, datatype, w1, other_count, other_datatype, root, comm)    \
  X(Gatherv, gatherv, together, buf, count, datatype, w1, w2, w3, w4, root, comm)                \
  X(Scatter, scatter, alike, w1, other_count, other_datatype, buf, count, datatype, root, comm)  \
  X(Scatterv, scatterv, together, w1, w2, w3, w4, buf, count, datatype, root, comm)              \
  X(Alltoall, alltoall, alike, buf, count, datatype, w1, other_count, other_datatype, comm)      \
  X(Alltoallv, alltoallv, together, w1, w2, w3, w4, w5, w6, w7, w8, comm)                        \
  X(Alltoallw, alltoallw, together, w1, w2, w3, w4, w5, w6, w7, w8, comm)

#define MPIGRAFT_WITH_COUNTS(X)                                                               \
  X(Send, alone, w1, count, datatype, dest, tag, comm)                                        \
  X(Ssend, alone, w1, count, datatype, dest, tag, comm)                                       \
  X(Rsend, alone, w1, count, datatype, dest, tag, comm)                                       \
  X(Recv, alone, w1, count, datatype, source, tag, comm, w2)                                  \
  X(Mrecv, alone, w1, count, datatype, w2, w3)                                                \
  X(Sendrecv, alone, w1, count, datatype, dest, tag, w2, w3, w4, source, recvtag, comm, w5)   \
  X(Sendrecv_replace, alone, w1, count, datatype, dest, tag, source, recvtag, comm, w2)       \
  X(Neighbor_allgather, together, w1, count, datatype, w2, w3, w4, comm)                      \
  X(Neighbor_allgatherv, together, w1, count, datatype, w2, w3, w4, w5, comm)                 \
  X(Neighbor_alltoall, together, w1, count, datatype, w2, w3, w4, comm)                       \
  X(Neighbor_alltoallv, together, w1, w2, w3, w4, w5, w6, w7, w8, comm)                       \
  X(Neighbor_alltoallw, together, w1, w2, w3, w4, w5, w6, w7, w8, comm)                       \
  X(Win_create, together, w1, w2, w3, w4, comm, w5)                                           \
  X(Win_allocate, together, w1, w2, w3, comm, w4, w5)                                         \
  X(Win_allocate_shared, together, w1, w2, w3, comm, w4, w5)                                  \
  X(File_read_all, alone, w1, w2, count, datatype, w3)                                        \
  X(File_write_all, alone, w1, w2, count, datatype, w3)                                       \
  X(File_read_at_all, alone, w1, w2, w3, count, datatype, w4)                                 \
  X(File_write_at_all, alone, w1, w2, w3, count, datatype, w4)                                \
  X(File_read_ordered, alone, w1, w2, count, datatype, w3)                                    \
  X(File_write_ordered, alone, w1, w2, count, datatype, w3)                                   \
  X(Buffer_detach, alone, w1, w2)                                                             \
  X(Isend, starts, w1, w2, w3, dest, tag, comm, newrequest)                                   \
  X(Issend, starts, w1, w2, w3, dest, tag, comm, newrequest)                                  \
  X(Irsend, starts, w1, w2, w3, dest, tag, comm, newrequest)                                  \
  X(Ibsend, starts, w1, w2, w3, dest, tag, comm, newrequest)                                  \
  X(Irecv, starts, w1, w2, w3, source, tag, comm, newrequest)                                 \
  X(Imrecv, starts, w1, w2, w3, w4, newrequest)                                               \
  X(Isendrecv, starts, w1, w2, w3, dest, tag, w4, w5, w6, source, recvtag, comm, newrequest)  \
  X(Isendrecv_replace, starts, w1, w2, w3, dest, tag, source, recvtag, comm, newrequest)      \
  X(Send_init, starts, w1, w2, w3, dest, tag, comm, newrequest)                               \
  X(Ssend_init, starts, w1, w2, w3, dest, tag, comm, newrequest)                              \
  X(Rsend_init, starts, w1, w2, w3, dest, tag, comm, newrequest)                              \
  X(Bsend_init, starts, w1, w2, w3, dest, tag, comm, newrequest)                              \
  X(Recv_init, starts, w1, w2, w3, source, tag, comm, newrequest)

// These have entry points for mpi_f08.
#define MPIGRAFT_WITHOUT_COUNTS(X)                                                                                   \
  X(Probe, probe, alone, source, tag, comm, w1)                                                                      \
  X(Mprobe, mprobe, alone, source, tag, comm, w1, w2)                                                                \
  X(Wait, wait, alone, request, w1)                                                                                  \
  X(Waitall, waitall, alone, number, requests, w1)                                                                   \
  X(Waitany, waitany, alone, number, requests, w1, w2)                                                               \
  X(Waitsome, waitsome, alone, number, requests, w1, w2, w3)                                                         \
  X(Comm_dup, comm_dup, together, comm, newcomm)                                                                     \
  X(Comm_dup_with_info, comm_dup_with_info, together, comm, w1, newcomm)                                             \
  X(Comm_split, comm_split, together, comm, w1, w2, newcomm)                                                         \
  X(Comm_split_type, comm_split_type, together, comm, w1, w2, w3, newcomm)                                           \
  X(Comm_create, comm_create, together, comm, w1, newcomm)                                                           \
  X(Comm_create_group, comm_create_group, alone, comm, w1, w2, newcomm)                                              \
  X(Cart_create, cart_create, together, comm, w1, w2, w3, w4, newcomm)                                               \
  X(Cart_sub, cart_sub, together, comm, w1, newcomm)                                                                 \
  X(Graph_create, graph_create, together, comm, w1, w2, w3, w4, newcomm)                                             \
  X(Dist_graph_create, dist_graph_create, together, comm, w1, w2, w3, w4, w5, w6, w7, newcomm)                       \
  X(Dist_graph_create_adjacent, dist_graph_create_adjacent, together, comm, w1, w2, w3, w4, w5, w6, w7, w8, newcomm) \
  X(Intercomm_create, intercomm_create, together, comm, w1, w2, w3, w4, newcomm)                                     \
  X(Intercomm_merge, intercomm_merge, alone, w1, w2, newcomm)                                                        \
  X(Win_create_dynamic, win_create_dynamic, together, w1, comm, w2)                                                  \
  X(Win_free, win_free, alone, w1)                                                                                   \
  X(Win_fence, win_fence, alone, w1, w2)                                                                             \
  X(Win_start, win_start, alone, w1, w2, w3)                                                                         \
  X(Win_complete, win_complete, alone, w1)                                                                           \
  X(Win_wait, win_wait, alone, w1)                                                                                   \
  X(Win_lock, win_lock, alone, w1, w2, w3, w4)                                                                       \
  X(Win_lock_all, win_lock_all, alone, w1, w2)                                                                       \
  X(Win_unlock, win_unlock, alone, w1, w2)                                                                           \
  X(Win_unlock_all, win_unlock_all, alone, w1)                                                                       \
  X(Win_flush, win_flush, alone, w1, w2)                                                                             \
  X(Win_flush_all, win_flush_all, alone, w1)                                                                         \
  X(Win_flush_local, win_flush_local, alone, w1, w2)                                                                 \
  X(Win_flush_local_all, win_flush_local_all, alone, w1)                                                             \
  X(File_set_size, file_set_size, alone, w1, w2)                                                                     \
  X(File_preallocate, file_preallocate, alone, w1, w2)                                                               \
  X(File_sync, file_sync, alone, w1)                                                                                 \
  X(File_close, file_close, alone, w1)

// In Fortran, these have lengths of texts as further parameters.
#define MPIGRAFT_WITH_TEXTS(X)                                                  \
  X(Comm_accept, together, w1, w2, root, comm, newcomm)                         \
  X(Comm_connect, together, w1, w2, root, comm, newcomm)                        \
  X(Comm_spawn, together, w1, w2, w3, w4, root, comm, newcomm, w5)              \
  X(Comm_spawn_multiple, together, w1, w2, w3, w4, w5, root, comm, newcomm, w6) \
  X(File_open, together, comm, w1, w2, w3, w4)                                  \
  X(File_set_view, alone, w1, w2, w3, w4, w5, w6)
// clang-format on
