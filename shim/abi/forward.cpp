// SPDX-License-Identifier: MIT
#include "shim/abi/call.hpp"
#include "shim/abi/pmpi.hpp"
#include "shim/base/log.hpp"

namespace mpigraft {
namespace {

using Handle = std::uintptr_t;

/// Calls a PMPI function through the register-wide view of its handles: right for int handles, whose upper half
/// the callee ignores, and for pointers.
template <class... Wide, class F>
int call_wide(F* function, Wide... arguments) {
  if (!function) {
    log_once("the MPI library has no function for an intercepted call");
    return MPI_ERR_INTERN;
  }
  return reinterpret_cast<int (*)(Wide...)>(reinterpret_cast<void*>(function))(arguments...);
}

}  // namespace

int forward(const RawCall& c) {
  const auto with_op = [&](auto* narrow, auto* large) {
    return c.large ? call_wide<const void*, void*, std::int64_t, Handle, Handle, Handle>(large, c.send, c.recv, c.count,
                                                                                         c.type, c.op, c.comm)
                   : call_wide<const void*, void*, int, Handle, Handle, Handle>(
                         narrow, c.send, c.recv, static_cast<int>(c.count), c.type, c.op, c.comm);
  };
  switch (c.collective) {
    case Collective::scan:
      return with_op(pmpi.Scan, pmpi.Scan_c);
    case Collective::exscan:
      return with_op(pmpi.Exscan, pmpi.Exscan_c);
    case Collective::bcast:
      return c.large ? call_wide<void*, std::int64_t, Handle, int, Handle>(pmpi.Bcast_c, c.recv, c.count, c.type,
                                                                           c.root, c.comm)
                     : call_wide<void*, int, Handle, int, Handle>(pmpi.Bcast, c.recv, static_cast<int>(c.count), c.type,
                                                                  c.root, c.comm);
    case Collective::reduce:
      return c.large ? call_wide<const void*, void*, std::int64_t, Handle, Handle, int, Handle>(
                           pmpi.Reduce_c, c.send, c.recv, c.count, c.type, c.op, c.root, c.comm)
                     : call_wide<const void*, void*, int, Handle, Handle, int, Handle>(
                           pmpi.Reduce, c.send, c.recv, static_cast<int>(c.count), c.type, c.op, c.root, c.comm);
  }
  return MPI_ERR_INTERN;
}

}  // namespace mpigraft
