// SPDX-License-Identifier: MIT
#include "shim/bench/ranks.hpp"

#include <algorithm>

#include "shim/bench/forced.hpp"
#include "shim/wait/requests.hpp"

namespace mpigraft::bench {

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
  constexpr int tag = 1;
  abi::Request requests[2];
  abi::Status status;
  abi::irecv(&theirs, 1, abi::type_int64, from, tag, comm, requests[0]);
  abi::isend(&mine, 1, abi::type_int64, to, tag, comm, requests[1]);
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
  const void* const mine = rank_ == 0 ? MPI_IN_PLACE : values.data();
  PMPI_Reduce(mine, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, MPI_MAX, 0, comm_);
}

}  // namespace mpigraft::bench
