// SPDX-License-Identifier: MIT
// The entry points of collectives: for each function in the table the blocking, the nonblocking and the persistent one,
// and if it has a count, their _c forms. Handles arrive as wide as a register.
#include "shim/entry/intercept.hpp"

#include "shim/abi/binding.hpp"
#include "shim/abi/constants.hpp"
#include "shim/abi/spellings.hpp"
#include "shim/entry/nonblocking.hpp"

using mpigraft::Collective;
using mpigraft::abi::callers_differ;
using mpigraft::abi::Function;
using mpigraft::abi::is_lower_case_of;
using mpigraft::abi::RawParts;
using mpigraft::entry::graft_nonblocking;
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

// A nonblocking or persistent form that is not grafted goes to the next definition. TAKES_INFO and GIVES_INFO stand for
// what a persistent form has before its request.
#define NO_INFO
#define TAKES_INFO , Handle info
#define GIVES_INFO , info
#define FORM(collective, equal, name, signature, Count, is_large, is_persistent, TAKES_MORE, GIVES_MORE)           \
  extern "C" __attribute__((visibility("default"))) int name(TAKES_##signature(Count) TAKES_MORE, void* request) { \
    static constinit Function its;                                                                                 \
    const auto next = its.next(#name, __builtin_return_address(0));                                                \
    PARTS_##signature;                                                                                             \
    int error = mpigraft::abi::success;                                                                            \
    if (next.grafted &&                                                                                            \
        graft_nonblocking({collective, is_large, equal, FILLS_##signature}, is_persistent, request, error))        \
      return error;                                                                                                \
    return reinterpret_cast<decltype(&name)>(next.function)(GIVES_##signature GIVES_MORE, request);                \
  }
#define NONBLOCKING(...) FORM(__VA_ARGS__, false, NO_INFO, NO_INFO)
#define PERSISTENT(...) FORM(__VA_ARGS__, true, TAKES_INFO, GIVES_INFO)

#define LARGE_FORM(X, ...) X(__VA_ARGS__, std::int64_t, true)
#define LARGE_FORM_send_recv_op LARGE_FORM
#define LARGE_FORM_send_recv_op_root LARGE_FORM
#define LARGE_FORM_send_recv_counts_op LARGE_FORM
#define LARGE_FORM_send_recv LARGE_FORM
#define LARGE_FORM_send_recv_counts LARGE_FORM
#define LARGE_FORM_buffer_root LARGE_FORM
#define LARGE_FORM_comm_only(...)

#define WIDTHS(X, collective, equal, function, signature) \
  X(collective, equal, function, signature, int, false)   \
  LARGE_FORM_##signature(X, collective, equal, function##_c, signature)
#define ENTRY_POINTS(collective, equal, function, signature)              \
  WIDTHS(ENTRY_POINT, collective, equal, MPI_##function, signature)       \
  WIDTHS(PERSISTENT, collective, equal, MPI_##function##_init, signature) \
  SPELLED_ENTRY_POINTS(collective, equal, function, LOWER_##function, signature)
// One more step, so that the lower-case name is expanded before it is joined to others.
#define SPELLED_ENTRY_POINTS(collective, equal, function, lower, signature) \
  NAMED_ENTRY_POINTS(collective, equal, function, lower, signature)
#define NAMED_ENTRY_POINTS(collective, equal, function, lower, signature)                   \
  static_assert(is_lower_case_of(#lower, #function), "its lower-case spelling is missing"); \
  WIDTHS(NONBLOCKING, collective, equal, MPI_I##lower, signature)

#define X(name, function, signature, ...) ENTRY_POINTS(Collective::name, false, function, signature)
MPIGRAFT_COLLECTIVES(X)
#undef X
#define X(name, function, signature) ENTRY_POINTS(Collective::name, true, function, signature)
MPIGRAFT_EQUAL_PARTS(X)
