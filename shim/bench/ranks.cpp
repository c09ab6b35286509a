// SPDX-License-Identifier: MIT
#include "shim/bench/ranks.hpp"

#include <algorithm>

#include "shim/bench/forced.hpp"
#include "shim/wait/requests.hpp"

namespace mpigraft::bench {
namespace {
constexpr int barrier_tag = 1, maxima_tag = 2;
}

Ranks::Ranks() {
  MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
  MPI_Comm_rank(comm_, &rank_);
  MPI_Comm_size(comm_, &size_);
  test::agree_on(comm_);
  entry::Communicator* const communicator = entry::communicator_of(abi::passed<abi::Comm>(comm_));
  if (!communicator || !communicator->transport.ensure(communicator->agreed) || !communicator->transport.channel ||
      communicator->agreed.nodes.size() != 1)
    return;
  channel_ = &*communicator->transport.channel;
  channel_->begin(0, abi::byte_stream(), 1);
}

Ranks::~Ranks() { MPI_Comm_free(&comm_); }

/// Sends a value and receives one.
std::int64_t Ranks::swap(std::int64_t mine, int to, int from) {
  std::int64_t theirs = 0;
  if (channel_) {
    const auto message = [](std::int64_t& value) {
      return memory::Message{reinterpret_cast<char*>(&value), sizeof value};
    };
    const memory::Channel::Ticket incoming = channel_->irecv(message(theirs), from),
                                  outgoing = channel_->isend(message(mine), to);
    channel_->wait(incoming), channel_->wait(outgoing);
    return theirs;
  }
  const auto comm = abi::passed<abi::Comm>(comm_);
  abi::Request requests[2];
  abi::Status status;
  abi::irecv(&theirs, 1, abi::type_int64, from, barrier_tag, comm, requests[0]);
  abi::isend(&mine, 1, abi::type_int64, to, barrier_tag, comm, requests[1]);
  for (abi::Request& request : requests) wait::wait_for(request, status);
  return theirs;
}

/// Dissemination: after the round of distance s a rank has heard of its 2s - 1 predecessors. Hearing of a rank twice
/// does not change a maximum.
std::int64_t Ranks::barrier(std::int64_t mine) {
  for (int s = 1; s < size_; s *= 2)
    mine = std::max(mine, swap(mine, (rank_ + s) % size_, (rank_ - s + size_) % size_));
  return mine;
}

void Ranks::collect_maxima(std::vector<double>& values) {
  const int n = static_cast<int>(values.size());
  const auto comm = abi::passed<abi::Comm>(comm_);
  abi::Request request;
  abi::Status status;
  if (rank_ != 0) {
    abi::isend(values.data(), n, abi::type_double, 0, maxima_tag, comm, request);
    wait::wait_for(request, status);
    return;
  }
  std::vector<double> theirs(values.size());
  for (int from = 1; from < size_; ++from) {
    abi::irecv(theirs.data(), n, abi::type_double, from, maxima_tag, comm, request);
    wait::wait_for(request, status);
    std::ranges::transform(values, theirs, values.begin(), [](double a, double b) { return std::max(a, b); });
  }
}

}  // namespace mpigraft::bench
