// SPDX-License-Identifier: MIT
#include "shim/wait/requests.hpp"

#include "shim/abi/handles.hpp"
#include "shim/wait/backoff.hpp"

namespace mpigraft::wait {
namespace {

/// Tests the requests that are not complete, one by one. Returns true if all are complete.
bool all_done(int n, abi::Request* requests, abi::Status* statuses) {
  bool open = false;
  for (int i = 0; i < n; ++i)
    if (requests[i] != abi::Request::null) open |= !poll(requests[i], statuses[i]);
  return !open;
}

}  // namespace

bool poll(abi::Request& request, abi::Status& status) {
  const Driving driving;
  return abi::test(request, status);
}

int wait_all(int n, abi::Request* requests, abi::Status* statuses) {
  for (int i = 0; i < n; ++i) statuses[i].error = abi::success;
  if (oversubscribed())
    for (Backoff backoff; !all_done(n, requests, statuses);) backoff.pause();
  else
    for (int i = 0; i < n; ++i) abi::wait(requests[i], statuses[i]);
  for (int i = 0; i < n; ++i)
    if (statuses[i].error != abi::success) return statuses[i].error;
  return abi::success;
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
