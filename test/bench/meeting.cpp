// SPDX-License-Identifier: MIT
#include "test/bench/meeting.hpp"

#include <algorithm>

#include "shim/wait/waiter.hpp"
#include "test/mpi/forced.hpp"

namespace mpigraft::bench {
namespace {
constexpr int meeting_tag = 1, maxima_tag = 2;
}

Meeting::Meeting() {
  MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
  MPI_Comm_rank(comm_, &rank_);
  MPI_Comm_size(comm_, &size_);
  test::agree_on(comm_);
  if (size_ > max_sharing_ranks) return;
  channel_.emplace(NodeRanks{.comm = comm_, .first = 0, .size = size_, .own = rank_}, shifted_);
  if (channel_->usable())
    channel_->begin(0, byte_stream, 1);
  else
    channel_.reset();
}

Meeting::~Meeting() {
  channel_.reset();
  MPI_Comm_free(&comm_);
}

/// Sends a value and receives one.
std::int64_t Meeting::swap(std::int64_t mine, int to, int from) {
  std::int64_t theirs = 0;
  if (channel_) {
    const auto parcel = [](std::int64_t& value) { return Parcel{reinterpret_cast<char*>(&value), sizeof value}; };
    channel_->swap(parcel(mine), to, parcel(theirs), from);
    return theirs;
  }
  MPI_Request requests[2];
  MPI_Status statuses[2];
  MPI_Irecv(&theirs, 1, MPI_INT64_T, from, meeting_tag, comm_, &requests[0]);
  MPI_Isend(&mine, 1, MPI_INT64_T, to, meeting_tag, comm_, &requests[1]);
  wait_all(2, requests, statuses);
  return theirs;
}

/// Dissemination: after the round of distance s a rank has heard of its 2s - 1 predecessors. To hear of a rank twice
/// does not change a maximum.
std::int64_t Meeting::meet(std::int64_t mine) {
  for (int s = 1; s < size_; s *= 2)
    mine = std::max(mine, swap(mine, (rank_ + s) % size_, (rank_ - s + size_) % size_));
  return mine;
}

void Meeting::collect_maxima(std::vector<double>& values) {
  const int n = static_cast<int>(values.size());
  MPI_Request request;
  MPI_Status status;
  if (rank_ != 0) {
    MPI_Isend(values.data(), n, MPI_DOUBLE, 0, maxima_tag, comm_, &request);
    wait_all(1, &request, &status);
    return;
  }
  std::vector<double> theirs(values.size());
  for (int from = 1; from < size_; ++from) {
    MPI_Irecv(theirs.data(), n, MPI_DOUBLE, from, maxima_tag, comm_, &request);
    wait_all(1, &request, &status);
    std::ranges::transform(values, theirs, values.begin(), [](double a, double b) { return std::max(a, b); });
  }
}

}  // namespace mpigraft::bench
