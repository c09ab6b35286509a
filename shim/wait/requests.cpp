// SPDX-License-Identifier: MIT
#include "shim/wait/requests.hpp"

#include "shim/abi/constants.hpp"
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

int over(int error, abi::Request request) {
  abi::Status status;
  return error != abi::success ? error : wait_all(1, &request, &status);
}

}  // namespace

bool poll(abi::Request& request, abi::Status& status) {
  const Driving driving;
  return abi::test(request, status);
}

int wait_all(int n, abi::Request* requests, abi::Status* statuses) {
  for (int i = 0; i < n; ++i) statuses[i].error = abi::success;
  if (beside_program() || oversubscribed())
    for (Backoff backoff; !all_done(n, requests, statuses);) backoff.pause();
  else
    for (int i = 0; i < n; ++i) abi::wait(requests[i], statuses[i]);
  for (int i = 0; i < n; ++i)
    if (statuses[i].error != abi::success) return statuses[i].error;
  return abi::success;
}

int Collectives::bcast(void* buffer, int count, abi::Type type, int root, abi::Comm comm) const {
  if (!nonblocking) return abi::bcast(buffer, count, type, root, comm);
  abi::Request request;
  const int error = abi::ibcast(buffer, count, type, root, comm, request);
  return over(error, request);
}

int Collectives::allreduce(const void* from, void* to, int count, abi::Type type, abi::Op op, abi::Comm comm) const {
  if (!nonblocking) return abi::allreduce(from, to, count, type, op, comm);
  abi::Request request;
  const int error = abi::iallreduce(from, to, count, type, op, comm, request);
  return over(error, request);
}

int Collectives::allgather(const void* mine, void* all, std::size_t bytes, abi::Comm comm) const {
  if (!nonblocking) return abi::allgather(mine, all, bytes, comm);
  abi::Request request;
  const int error = abi::iallgather(mine, all, bytes, comm, request);
  return over(error, request);
}

bool Collectives::true_on_all(bool mine, abi::Comm comm) const {
  const int one = mine;
  int every = 0;
  allreduce(&one, &every, 1, abi::type_int, abi::op_min, comm);
  return every != 0;
}

int Collectives::forward(const abi::RawCall& call) const {
  if (!nonblocking) return abi::forward(call);
  abi::Request request;
  const int error = abi::forward_nonblocking(call, request);
  return over(error, request);
}

}  // namespace mpigraft::wait
