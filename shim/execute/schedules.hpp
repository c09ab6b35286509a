// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "algorithms/info.hpp"
#include "algorithms/schedule/schedule.hpp"

namespace mpigraft::execute {

/// A rank's schedules for one kind of call, made when they are first needed: the input may lie in the result's memory.
class Schedules {
 public:
  /// For calls of `length` elements with algorithm number `algorithm`, which has a text.
  Schedules(int algorithm, int ranks, int rank, std::int64_t length, const Params& params)
      : algorithm_(algorithm), ranks_(ranks), rank_(rank), length_(length), params_(params) {}

  /// Null without memory.
  const schedule::Schedule* get(bool aliased);
  /// True if calls with these facts have the same schedules.
  bool are_for(int algorithm, std::int64_t length, const Params& params) const;
  std::size_t steps() const { return made_[0].steps.size() + made_[1].steps.size(); }

 private:
  const int algorithm_, ranks_, rank_;
  const std::int64_t length_;
  const Params params_;
  std::array<schedule::Schedule, 2> made_;
  std::array<bool, 2> is_made_{};
};

/// The schedules of a communicator's last kinds of calls. A program that alternates between a few of them makes each
/// only once.
class ScheduleCache {
 public:
  /// The schedules for calls with these facts; `params.nodes` depends on the communicator and the algorithm alone.
  std::shared_ptr<Schedules> get(int algorithm, int ranks, int rank, std::int64_t length, const Params& params);

 private:
  static constexpr std::size_t most_kinds = 16;
  static constexpr std::size_t most_steps = 64 << 10;  // of all that are kept: 5 MiB

  void trim();

  std::array<std::shared_ptr<Schedules>, most_kinds> kept_;  // the last used first
};

}  // namespace mpigraft::execute
