// SPDX-License-Identifier: MIT
#include "shim/wait/requests.hpp"

#include "shim/abi/handles.hpp"
#include "shim/wait/backoff.hpp"

namespace mpigraft::wait {

bool poll(abi::Request& request, abi::Status& status) {
  const Driving driving;
  return abi::test(request, status);
}

int wait_for(abi::Request& request, abi::Status& status) {
  if (oversubscribed())
    for (Backoff backoff; !poll(request, status);) backoff.pause();
  else
    abi::wait(request, status);
  return status.error;
}

void Collectives::bcast(void* buffer, int count, abi::Type type, int root, abi::Comm comm) {
  error_ = nonblocking_ ? abi::ibcast(buffer, count, type, root, comm, request_)
                        : abi::bcast(buffer, count, type, root, comm);
}

void Collectives::allreduce(const void* from, void* to, int count, abi::Type type, abi::Op op, abi::Comm comm) {
  error_ = nonblocking_ ? abi::iallreduce(from, to, count, type, op, comm, request_)
                        : abi::allreduce(from, to, count, type, op, comm);
}

void Collectives::allgather(const void* mine, void* all, std::size_t bytes, abi::Comm comm) {
  error_ = nonblocking_ ? abi::iallgather(mine, all, bytes, comm, request_) : abi::allgather(mine, all, bytes, comm);
}

void Collectives::forward(const abi::RawCall& call) {
  error_ = nonblocking_ ? abi::forward_nonblocking(call, request_) : abi::forward(call);
}

bool Collectives::is_over() {
  if (error_ != abi::success || request_ == abi::Request::null) return true;
  abi::Status status;
  if (!poll(request_, status)) return false;
  error_ = status.error;
  request_ = abi::Request::null;
  return true;
}

}  // namespace mpigraft::wait
