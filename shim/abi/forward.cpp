// SPDX-License-Identifier: MIT
#include "shim/abi/call.hpp"
#include "shim/abi/functions.hpp"
#include "shim/abi/library.hpp"
#include "shim/base/log.hpp"

namespace mpigraft::abi {
namespace {

/// Handles are passed as wide as a register. This is right for pointers, and for int handles, because the callee
/// ignores the upper half of their registers.
template <class... Parameters, class... Last>
int call(void* function, const RawCall& c, Last... last) {
  return reinterpret_cast<int (*)(Parameters..., Last...)>(function)(argument_of<Parameters>(c)..., last...);
}

/// That of a collective's function among those of all.
constexpr int number_of(Collective collective, bool equal) { return 2 * static_cast<int>(collective) + equal; }

/// `Width` is Narrow, or Large in the _c form. `last` is the address of the request of a nonblocking function.
template <class Width, class... Last>
int forward_in(void* function, const RawCall& c, Last... last) {
  if (!function) {
    base::log_once("the MPI library lacks a collective function that the program calls: the call fails");
    return err_intern;
  }
#define TYPE(name) typename Width::name
#define X(name, equal, function_of_mpi, lower, upper, signature, ...) \
  case number_of(Collective::name, equal):                            \
    return call<MPIGRAFT_PARAMETERS_##signature(TYPE)>(function, c, last...);
  switch (number_of(c.collective, c.equal)) { MPIGRAFT_COLLECTIVE_FUNCTIONS(X) }
#undef X
#undef TYPE
  return err_intern;
}

const NativeForms& native_of(const RawCall& c) { return native_forms[static_cast<std::size_t>(c.collective)][c.equal]; }

}  // namespace

int forward(const RawCall& c) {
  const NativeForms& native = native_of(c);
  return c.large ? forward_in<Large>(native.large, c) : forward_in<Narrow>(native.narrow, c);
}

int forward(const RawCall& c, Request* request) {
  if (!request) return forward(c);
  const NativeForms& native = native_of(c);
  alignas(8) unsigned char handle[8];  // as wide as the requests of any library
  put_request(Request::null, handle);
  auto* const place = reinterpret_cast<Narrow::newrequest>(handle);
  const int error = c.large ? forward_in<Large>(native.large_nonblocking, c, place)
                            : forward_in<Narrow>(native.nonblocking, c, place);
  *request = request_at(handle, 0);
  return error;
}

int bcast(void* buffer, int count, Type type, int root, Comm comm, Request* request) {
  RawCall call{.collective = Collective::bcast, .large = false, .recv = buffer, .count = count, .root = root};
  call.raw_type = to_pass(type), call.comm = to_pass(comm);
  return forward(call, request);
}

int allreduce(const void* from, void* to, int count, Type type, Op op, Comm comm, Request* request) {
  RawCall call{.collective = Collective::allreduce, .large = false, .send = from, .recv = to, .count = count};
  call.raw_type = to_pass(type), call.raw_op = to_pass(op), call.comm = to_pass(comm);
  return forward(call, request);
}

int allgather(const void* mine, void* all, std::size_t bytes, Comm comm, Request* request) {
  RawCall call{.collective = Collective::allgather, .large = false, .equal = true, .send = mine, .recv = all};
  call.count = call.send_count = static_cast<std::int64_t>(bytes);
  call.raw_type = call.raw_send_type = to_pass(type_byte), call.comm = to_pass(comm);
  return forward(call, request);
}

}  // namespace mpigraft::abi
