// SPDX-License-Identifier: MIT
// The price of setting up communicators: when it is due, and what it has cost this process. The report shows both.
#pragma once

#include <atomic>
#include <cstdint>

#include "shim/base/clock.hpp"

namespace mpigraft::agree {

/// The estimated time of the native calls after which a communicator is set up. It is about what the set-up costs, so
/// that a communicator that is soon freed loses little, and one that lives longer loses at most as much again.
inline constexpr std::uint64_t price_ns = 30'000;

struct SetUps {
  std::atomic<std::int64_t> communicators{0};  // that were set up, counted at their rank 0
  std::atomic<std::int64_t> waiting{0};        // whose calls have not reached the price, counted likewise
  std::atomic<std::int64_t> joined{0};         // set-ups in which this rank took part
  std::atomic<std::int64_t> ns{0};             // of this rank in all steps of set-ups, waiting for other ranks included
};
inline SetUps set_ups;

/// Measures a step of a set-up until the end of its scope.
class TimedSetUp {
 public:
  TimedSetUp() : begin_(base::now_ns()) {}
  ~TimedSetUp() { set_ups.ns += base::now_ns() - begin_; }
  TimedSetUp(const TimedSetUp&) = delete;
  TimedSetUp& operator=(const TimedSetUp&) = delete;

 private:
  std::int64_t begin_;
};

}  // namespace mpigraft::agree
