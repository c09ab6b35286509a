// SPDX-License-Identifier: MIT
#include "test/bench/meeting.hpp"

#include <time.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "shim/waiter.hpp"

namespace mpigraft::bench {
namespace {
constexpr int meeting_tag = 1, maxima_tag = 2;
constexpr double asleep_after_us = 2000;  // by then also the last of a crowd has left the meeting
}  // namespace

double now_us() {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Meeting::Meeting() {
  MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
  MPI_Comm_rank(comm_, &rank_);
  MPI_Comm_size(comm_, &size_);
  MPI_Bcast(nullptr, 0, MPI_BYTE, 0, comm_);
  MPI_Comm node;
  MPI_Comm_split_type(comm_, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  int on_node = 0;
  MPI_Comm_size(node, &on_node);
  MPI_Comm_free(&node);
  one_clock_ = on_node == size_;
}

/// Dissemination: after the round of distance s a rank has heard of its 2s - 1 predecessors. To hear of a rank twice
/// does not change a maximum.
std::int64_t Meeting::meet(std::int64_t mine) {
  for (int s = 1; s < size_; s *= 2) {
    std::int64_t theirs = 0;
    MPI_Request requests[2];
    MPI_Status statuses[2];
    MPI_Irecv(&theirs, 1, MPI_INT64_T, (rank_ - s + size_) % size_, meeting_tag, comm_, &requests[0]);
    MPI_Isend(&mine, 1, MPI_INT64_T, (rank_ + s) % size_, meeting_tag, comm_, &requests[1]);
    wait_all(2, requests, statuses);
    mine = std::max(mine, theirs);
  }
  return mine;
}

double Meeting::start_us() {
  const std::int64_t last_us = meet(one_clock_ && crowded() ? std::llround(now_us()) : 0);
  if (last_us == 0) return now_us();
  const double moment_us = static_cast<double>(last_us) + asleep_after_us;
  const auto ns = static_cast<std::int64_t>(moment_us * 1000);
  const timespec until{ns / 1'000'000'000, ns % 1'000'000'000};
  const ExactNaps exactly;
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) != 0) {
  }
  return moment_us;
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
