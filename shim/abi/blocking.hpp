// SPDX-License-Identifier: MIT
// THE table of the functions that block but are not grafted, and of those that start an operation to wait for. Entry
// points, forwarding, the trace and the explanation of a hang know no more about a function than its row here.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace mpigraft::abi {

// A row has the function, its number of arguments, one letter for each of them, and which ranks call it together.
//   c communicator   C address of a new one   n t count and type   N T count and type if `b` is MPI_IN_PLACE
//   b buffer of n t  o operator   r root      d s destination, source   g tag   G tag of s, where g is that of d
//   q request        R address of a new one   k Q number of requests, their array
//   . nobody looks at this argument
// clang-format off
#define MPIGRAFT_BLOCKING_WITH_COUNTS(X)                   \
  X(Send, 6, ".ntdgc", alone)                              \
  X(Ssend, 6, ".ntdgc", alone)                             \
  X(Rsend, 6, ".ntdgc", alone)                             \
  X(Recv, 7, ".ntsgc.", alone)                             \
  X(Mrecv, 5, ".nt..", alone)                              \
  X(Sendrecv, 12, ".ntdg...sGc.", alone)                   \
  X(Sendrecv_replace, 9, ".ntdgsGc.", alone)               \
  X(Gather, 8, "bnt.NTrc", alike)                          \
  X(Gatherv, 9, "bnt....rc", together)                     \
  X(Scatter, 8, ".NTbntrc", alike)                         \
  X(Scatterv, 9, "....bntrc", together)                    \
  X(Alltoall, 7, "bnt.NTc", alike)                         \
  X(Alltoallv, 9, "........c", together)                   \
  X(Alltoallw, 9, "........c", together)                   \
  X(Neighbor_allgather, 7, ".nt...c", together)            \
  X(Neighbor_allgatherv, 8, ".nt....c", together)          \
  X(Neighbor_alltoall, 7, ".nt...c", together)             \
  X(Neighbor_alltoallv, 9, "........c", together)          \
  X(Neighbor_alltoallw, 9, "........c", together)          \
  X(Win_create, 6, "....c.", together)                     \
  X(Win_allocate, 6, "...c..", together)                   \
  X(Win_allocate_shared, 6, "...c..", together)            \
  X(File_read_all, 5, "..nt.", alone)                      \
  X(File_write_all, 5, "..nt.", alone)                     \
  X(File_read_at_all, 6, "...nt.", alone)                  \
  X(File_write_at_all, 6, "...nt.", alone)                 \
  X(Isend, 7, ".ntdgcR", starts)                           \
  X(Issend, 7, ".ntdgcR", starts)                          \
  X(Irsend, 7, ".ntdgcR", starts)                          \
  X(Ibsend, 7, ".ntdgcR", starts)                          \
  X(Irecv, 7, ".ntsgcR", starts)                           \
  X(Imrecv, 5, ".nt.R", starts)                            \
  X(Isendrecv, 12, ".ntdg...sGcR", starts)                 \
  X(Isendrecv_replace, 9, ".ntdgsGcR", starts)             \
  X(Send_init, 7, ".ntdgcR", starts)                       \
  X(Ssend_init, 7, ".ntdgcR", starts)                      \
  X(Rsend_init, 7, ".ntdgcR", starts)                      \
  X(Bsend_init, 7, ".ntdgcR", starts)                      \
  X(Recv_init, 7, ".ntsgcR", starts)                       \
  X(Ibcast, 6, ".ntrcR", starts)                           \
  X(Igather, 9, ".nt...rcR", starts)                       \
  X(Igatherv, 10, ".nt....rcR", starts)                    \
  X(Iscatter, 9, "....ntrcR", starts)                      \
  X(Iscatterv, 10, ".....ntrcR", starts)                   \
  X(Iallgather, 8, ".nt...cR", starts)                     \
  X(Iallgatherv, 9, ".nt....cR", starts)                   \
  X(Ialltoall, 8, ".nt...cR", starts)                      \
  X(Ialltoallv, 10, "........cR", starts)                  \
  X(Ialltoallw, 10, "........cR", starts)                  \
  X(Ireduce, 8, "..ntorcR", starts)                        \
  X(Iallreduce, 7, "..ntocR", starts)                      \
  X(Ireduce_scatter, 7, "...tocR", starts)                 \
  X(Ireduce_scatter_block, 7, "..ntocR", starts)           \
  X(Iscan, 7, "..ntocR", starts)                           \
  X(Iexscan, 7, "..ntocR", starts)                         \
  X(Bcast_init, 7, ".ntrc.R", starts)                      \
  X(Allgather_init, 9, ".nt...c.R", starts)                \
  X(Allgatherv_init, 10, ".nt....c.R", starts)             \
  X(Reduce_init, 9, "..ntorc.R", starts)                   \
  X(Allreduce_init, 8, "..ntoc.R", starts)                 \
  X(Reduce_scatter_init, 8, "...toc.R", starts)            \
  X(Reduce_scatter_block_init, 8, "..ntoc.R", starts)      \
  X(Scan_init, 8, "..ntoc.R", starts)                      \
  X(Exscan_init, 8, "..ntoc.R", starts)

#define MPIGRAFT_BLOCKING_WITHOUT_COUNTS(X)                \
  X(Probe, 4, "sgc.", alone)                               \
  X(Mprobe, 5, "sgc..", alone)                             \
  X(Wait, 2, "q.", alone)                                  \
  X(Waitall, 3, "kQ.", alone)                              \
  X(Waitany, 4, "kQ..", alone)                             \
  X(Waitsome, 5, "kQ...", alone)                           \
  X(Comm_dup, 2, "cC", together)                           \
  X(Comm_dup_with_info, 3, "c.C", together)                \
  X(Comm_split, 4, "c..C", together)                       \
  X(Comm_split_type, 5, "c...C", together)                 \
  X(Comm_create, 3, "c.C", together)                       \
  X(Comm_create_group, 4, "c..C", alone)                   \
  X(Cart_create, 6, "c....C", together)                    \
  X(Cart_sub, 3, "c.C", together)                          \
  X(Graph_create, 6, "c....C", together)                   \
  X(Dist_graph_create, 9, "c.......C", together)           \
  X(Dist_graph_create_adjacent, 10, "c........C", together) \
  X(Intercomm_create, 6, "c....C", together)               \
  X(Intercomm_merge, 3, "..C", alone)                      \
  X(Comm_accept, 5, "..rcC", together)                     \
  X(Comm_connect, 5, "..rcC", together)                    \
  X(Comm_spawn, 8, "....rcC.", together)                   \
  X(Win_create_dynamic, 3, ".c.", together)                \
  X(Win_free, 1, ".", alone)                               \
  X(Win_fence, 2, "..", alone)                             \
  X(Win_start, 3, "...", alone)                            \
  X(Win_complete, 1, ".", alone)                           \
  X(Win_wait, 1, ".", alone)                               \
  X(Win_lock, 4, "....", alone)                            \
  X(Win_lock_all, 2, "..", alone)                          \
  X(Win_unlock, 2, "..", alone)                            \
  X(Win_unlock_all, 1, ".", alone)                         \
  X(Win_flush, 2, "..", alone)                             \
  X(Win_flush_all, 1, ".", alone)                          \
  X(Win_flush_local, 2, "..", alone)                       \
  X(Win_flush_local_all, 1, ".", alone)                    \
  X(File_open, 5, "c....", together)                       \
  X(File_close, 1, ".", alone)                             \
  X(Ibarrier, 2, "cR", starts)                             \
  X(Barrier_init, 3, "c.R", starts)                        \
  X(Comm_free, 1, ".", alone)                              \
  X(Comm_disconnect, 1, ".", alone)                        \
  X(Init, 2, "..", alone)                                  \
  X(Init_thread, 4, "....", alone)                         \
  X(Finalize, 0, "", alone)
// clang-format on

/// The ranks that call a function together.
enum class Callers {
  alone,     // this rank for itself, or ranks that are not known
  together,  // all ranks of the communicator
  alike,     // all ranks of the communicator, each with the same number of bytes
  starts,    // this rank, and it does not wait
};

struct Blocking {
  std::string_view function;  // "MPI_Send_c"
  std::string_view arguments;
  Callers callers;
  bool large;  // the _c form: counts are MPI_Count

  /// The index of the argument that `letter` stands for; -1: there is none.
  constexpr int place(char letter) const {
    const std::size_t found = arguments.find(letter);
    return found == arguments.npos ? -1 : static_cast<int>(found);
  }
};

#define NARROW(name, n, arguments, callers) Blocking{"MPI_" #name, arguments, Callers::callers, false},
#define LARGE(name, n, arguments, callers) Blocking{"MPI_" #name "_c", arguments, Callers::callers, true},
inline constexpr std::array blocking{MPIGRAFT_BLOCKING_WITH_COUNTS(NARROW) MPIGRAFT_BLOCKING_WITH_COUNTS(LARGE)
                                         MPIGRAFT_BLOCKING_WITHOUT_COUNTS(NARROW)};
#undef NARROW
#undef LARGE

}  // namespace mpigraft::abi
