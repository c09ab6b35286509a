// SPDX-License-Identifier: MIT
// The entry points, two a row of the table of collectives, or one where there is no count, and nothing else. Handles
// arrive as wide as a register.
#include "shim/entry/intercept.hpp"

using mpigraft::Collective;
using mpigraft::entry::intercepted;
using Handle = std::uintptr_t;

// The parameters of a signature, and how they fill a RawCall from `send` on.
#define TAKES_send_recv_op(Count) const void *send, void *recv, Count count, Handle type, Handle op, Handle comm
#define FILLS_send_recv_op send, recv, count, type, op, 0, comm
#define TAKES_send_recv_op_root(Count) \
  const void *send, void *recv, Count count, Handle type, Handle op, int root, Handle comm
#define FILLS_send_recv_op_root send, recv, count, type, op, root, comm
#define TAKES_buffer_root(Count) void *buffer, Count count, Handle type, int root, Handle comm
#define FILLS_buffer_root nullptr, buffer, count, type, 0, root, comm
#define TAKES_comm_only(Count) Handle comm
#define FILLS_comm_only nullptr, nullptr, 0, 0, 0, 0, comm

#define ENTRY_POINT(collective, function, signature, Count, is_large)                           \
  extern "C" __attribute__((visibility("default"))) int function(TAKES_##signature(Count)) {    \
    return intercepted({collective, is_large, FILLS_##signature}, __builtin_return_address(0)); \
  }
#define LARGE_FORM(...) ENTRY_POINT(__VA_ARGS__, std::int64_t, true)
#define LARGE_FORM_send_recv_op LARGE_FORM
#define LARGE_FORM_send_recv_op_root LARGE_FORM
#define LARGE_FORM_buffer_root LARGE_FORM
#define LARGE_FORM_comm_only(...)

#define X(name, function, signature, ...)                              \
  ENTRY_POINT(Collective::name, MPI_##function, signature, int, false) \
  LARGE_FORM_##signature(Collective::name, MPI_##function##_c, signature)

MPIGRAFT_COLLECTIVES(X)
