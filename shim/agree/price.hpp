// SPDX-License-Identifier: MIT
// The price of setting up communicators: when it is due, and what it has cost this process. The report shows both.
#pragma once

#include <atomic>
#include <cstdint>

#include "shim/base/clock.hpp"

namespace mpigraft::agree {

/// The estimated time of a communicator's native calls after which it is set up. That costs about 35 us at 2 ranks, so
/// one that is soon freed loses little.
inline constexpr std::int64_t price_ns = 200'000;

/// The same of all communicators together for each that has to allocate shared memory, which costs about 350 us. Others
/// take over that of one that was freed.
inline constexpr std::int64_t price_of_memory_ns = 1'000'000;

struct SetUps {
  std::atomic<std::int64_t> communicators{0};  // that were set up, counted at their rank 0
  std::atomic<std::int64_t> waiting{0};        // whose calls have not reached the price, counted likewise
  std::atomic<std::int64_t> joined{0};         // set-ups in which this rank took part
  std::atomic<std::int64_t> ns{0};             // of this rank in all steps of set-ups, waiting for other ranks included
  std::atomic<std::int64_t> saved_ns{0};       // time of native calls that has not yet paid for shared memory
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
