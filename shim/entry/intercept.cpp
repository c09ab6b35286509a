// SPDX-License-Identifier: MIT
// The entry points of collectives: for each function in the table the one with int counts and, if it has a count, the
// _c form. Handles arrive as wide as a register.
#include "shim/entry/intercept.hpp"

#include "shim/abi/binding.hpp"

using mpigraft::Collective;
using mpigraft::abi::callers_differ;
using mpigraft::abi::Function;
using mpigraft::abi::RawParts;
using mpigraft::entry::intercepted;
using Handle = std::uintptr_t;

// TAKES declares the parameters of a signature, GIVES passes them on, PARTS makes RawParts of them, and FILLS a RawCall
// from `send` on.
#define TAKES_send_recv_op(Count) const void *send, void *recv, Count count, Handle type, Handle op, Handle comm
#define GIVES_send_recv_op send, recv, count, type, op, comm
#define PARTS_send_recv_op
#define FILLS_send_recv_op send, recv, count, type, op, 0, comm
#define TAKES_send_recv_op_root(Count) \
  const void *send, void *recv, Count count, Handle type, Handle op, int root, Handle comm
#define GIVES_send_recv_op_root send, recv, count, type, op, root, comm
#define PARTS_send_recv_op_root
#define FILLS_send_recv_op_root send, recv, count, type, op, root, comm
#define TAKES_send_recv_counts_op(Count) \
  const void *send, void *recv, const Count *counts, Handle type, Handle op, Handle comm
#define GIVES_send_recv_counts_op send, recv, counts, type, op, comm
#define PARTS_send_recv_counts_op \
  const RawParts parts { .counts = counts }
#define FILLS_send_recv_counts_op send, recv, 0, type, op, 0, comm, &parts
#define TAKES_send_recv(Count) \
  const void *send, Count send_count, Handle send_type, void *recv, Count count, Handle type, Handle comm
#define GIVES_send_recv send, send_count, send_type, recv, count, type, comm
#define PARTS_send_recv \
  const RawParts parts { send_count, send_type }
#define FILLS_send_recv send, recv, count, type, 0, 0, comm, &parts
#define TAKES_send_recv_counts(Count)                                                                         \
  const void *send, Count send_count, Handle send_type, void *recv, const Count *counts, const Count *displs, \
      Handle type, Handle comm
#define GIVES_send_recv_counts send, send_count, send_type, recv, counts, displs, type, comm
#define PARTS_send_recv_counts \
  const RawParts parts { send_count, send_type, counts, displs }
#define FILLS_send_recv_counts send, recv, 0, type, 0, 0, comm, &parts
#define TAKES_buffer_root(Count) void *buffer, Count count, Handle type, int root, Handle comm
#define GIVES_buffer_root buffer, count, type, root, comm
#define PARTS_buffer_root
#define FILLS_buffer_root nullptr, buffer, count, type, 0, root, comm
#define TAKES_comm_only(Count) Handle comm
#define GIVES_comm_only comm
#define PARTS_comm_only
#define FILLS_comm_only nullptr, nullptr, 0, 0, 0, 0, comm

#define ENTRY_POINT(collective, equal, function, signature, Count, is_large)                 \
  extern "C" __attribute__((visibility("default"))) int function(TAKES_##signature(Count)) { \
    static constinit Function its;                                                           \
    const void* const caller = __builtin_return_address(0);                                  \
    if (callers_differ.load(std::memory_order_relaxed)) [[unlikely]]                         \
      if (void* const elsewhere = its.elsewhere(#function, caller))                          \
        return reinterpret_cast<decltype(&function)>(elsewhere)(GIVES_##signature);          \
    PARTS_##signature;                                                                       \
    return intercepted({collective, is_large, equal, FILLS_##signature}, caller);            \
  }
#define LARGE_FORM(...) ENTRY_POINT(__VA_ARGS__, std::int64_t, true)
#define LARGE_FORM_send_recv_op LARGE_FORM
#define LARGE_FORM_send_recv_op_root LARGE_FORM
#define LARGE_FORM_send_recv_counts_op LARGE_FORM
#define LARGE_FORM_send_recv LARGE_FORM
#define LARGE_FORM_send_recv_counts LARGE_FORM
#define LARGE_FORM_buffer_root LARGE_FORM
#define LARGE_FORM_comm_only(...)

#define ENTRY_POINTS(collective, equal, function, signature)            \
  ENTRY_POINT(collective, equal, MPI_##function, signature, int, false) \
  LARGE_FORM_##signature(collective, equal, MPI_##function##_c, signature)

#define X(name, function, signature, ...) ENTRY_POINTS(Collective::name, false, function, signature)
MPIGRAFT_COLLECTIVES(X)
#undef X
#define X(name, function, signature) ENTRY_POINTS(Collective::name, true, function, signature)
MPIGRAFT_EQUAL_PARTS(X)
