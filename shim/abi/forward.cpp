// SPDX-License-Identifier: MIT
#include "shim/abi/call.hpp"
#include "shim/abi/constants.hpp"
#include "shim/abi/library.hpp"
#include "shim/base/log.hpp"

namespace mpigraft::abi {
namespace {

using Handle = std::uintptr_t;

/// Calls a function of MPI through the register-wide view of its handles: right for int handles, whose upper half the
/// callee ignores, and for pointers.
template <class... Wide>
int call_wide(void* function, Wide... arguments) {
  return reinterpret_cast<int (*)(Wide...)>(function)(arguments...);
}

/// `Count` is the type of the count: int, or that of the _c form.
template <class Count>
int forward_counting_in(void* function, Signature signature, const RawCall& c) {
  if (!function) {
    base::log_once("the MPI library has no function for an intercepted call");
    return err_intern;
  }
  const auto count = static_cast<Count>(c.count);
  switch (signature) {
    case Signature::send_recv_op:
      return call_wide<const void*, void*, Count, Handle, Handle, Handle>(function, c.send, c.recv, count, c.type, c.op,
                                                                          c.comm);
    case Signature::send_recv_op_root:
      return call_wide<const void*, void*, Count, Handle, Handle, int, Handle>(function, c.send, c.recv, count, c.type,
                                                                               c.op, c.root, c.comm);
    case Signature::send_recv_counts_op:
      return call_wide<const void*, void*, const void*, Handle, Handle, Handle>(function, c.send, c.recv,
                                                                                c.parts->counts, c.type, c.op, c.comm);
    case Signature::send_recv:
      return call_wide<const void*, Count, Handle, void*, Count, Handle, Handle>(
          function, c.send, static_cast<Count>(c.parts->send_count), c.parts->send_type, c.recv, count, c.type, c.comm);
    case Signature::send_recv_counts:
      return call_wide<const void*, Count, Handle, void*, const void*, const void*, Handle, Handle>(
          function, c.send, static_cast<Count>(c.parts->send_count), c.parts->send_type, c.recv, c.parts->counts,
          c.parts->displs, c.type, c.comm);
    case Signature::buffer_root:
      return call_wide<void*, Count, Handle, int, Handle>(function, c.recv, count, c.type, c.root, c.comm);
    case Signature::comm_only:
      return call_wide<Handle>(function, c.comm);
  }
  return err_intern;
}

}  // namespace

int forward(const RawCall& c) {
  const NativeForms& native = native_forms[static_cast<std::size_t>(c.collective)][c.equal];
  return c.large ? forward_counting_in<std::int64_t>(native.large, native.signature, c)
                 : forward_counting_in<int>(native.narrow, native.signature, c);
}

}  // namespace mpigraft::abi
