// SPDX-License-Identifier: MIT
#include "shim/abi/call.hpp"
#include "shim/abi/constants.hpp"
#include "shim/abi/handles.hpp"
#include "shim/abi/library.hpp"
#include "shim/base/log.hpp"

namespace mpigraft::abi {
namespace {

/// Calls a function of MPI with handles as wide as a register. This is right for pointers, and for int handles, because
/// the callee ignores the upper half of their registers.
template <class... Wide>
int call_wide(void* function, Wide... arguments) {
  return reinterpret_cast<int (*)(Wide...)>(function)(arguments...);
}

/// `Count` is the type of counts: int, or std::int64_t in the _c form. `last` is the address of the request of a
/// nonblocking function.
template <class Count, class... Last>
int forward_counting_in(void* function, Signature signature, const RawCall& c, Last... last) {
  if (!function) {
    base::log_once("the MPI library lacks a collective function that the program calls: the call fails");
    return err_intern;
  }
  const auto count = static_cast<Count>(c.count);
  const auto send_count = [&] { return static_cast<Count>(c.parts->send_count); };
  const auto send_type = [&] { return c.parts->send_type; };
  switch (signature) {
    case Signature::send_recv_op:
      return call_wide(function, c.send, c.recv, count, c.type, c.op, c.comm, last...);
    case Signature::send_recv_op_root:
      return call_wide(function, c.send, c.recv, count, c.type, c.op, c.root, c.comm, last...);
    case Signature::send_recv_counts_op:
      return call_wide(function, c.send, c.recv, c.parts->counts, c.type, c.op, c.comm, last...);
    case Signature::send_recv:
      return call_wide(function, c.send, send_count(), send_type(), c.recv, count, c.type, c.comm, last...);
    case Signature::send_recv_counts:
      return call_wide(function, c.send, send_count(), send_type(), c.recv, c.parts->counts, c.parts->displs, c.type,
                       c.comm, last...);
    case Signature::buffer_root:
      return call_wide(function, c.recv, count, c.type, c.root, c.comm, last...);
    case Signature::comm_only:
      return call_wide(function, c.comm, last...);
  }
  return err_intern;
}

const NativeForms& native_of(const RawCall& c) { return native_forms[static_cast<std::size_t>(c.collective)][c.equal]; }

}  // namespace

int forward(const RawCall& c) {
  const NativeForms& native = native_of(c);
  return c.large ? forward_counting_in<std::int64_t>(native.large, native.signature, c)
                 : forward_counting_in<int>(native.narrow, native.signature, c);
}

int forward_nonblocking(const RawCall& c, Request& request) {
  const NativeForms& native = native_of(c);
  alignas(8) unsigned char handle[8];  // as wide as the requests of any library
  put_request(Request::null, handle);
  const int error = c.large
                        ? forward_counting_in<std::int64_t>(native.large_nonblocking, native.signature, c, &handle[0])
                        : forward_counting_in<int>(native.nonblocking, native.signature, c, &handle[0]);
  request = request_at(handle, 0);
  return error;
}

}  // namespace mpigraft::abi
