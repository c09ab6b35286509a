// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <unordered_map>

#include "algorithms/info.hpp"
#include "algorithms/schedule/schedule.hpp"

namespace mpigraft::execute {

/// Which schedules a call needs: what they follow from, apart from the rank.
struct ScheduleKey {
  int algorithm = 0;
  std::int64_t elements = 0, piece = 0;
  Params params = {};

  /// `nodes` and `machine` follow from the communicator and the algorithm.
  bool operator==(const ScheduleKey& other) const;
};

/// A rank's schedules for a call of many elements: for each of its pieces but the last, and for that one.
struct PieceSchedules {
  schedule::Schedule each, last;
  std::int64_t scratch = 0;  // most elements
};

/// Schedules of this process, which the report tells.
struct ScheduleCounts {
  std::atomic<std::int64_t> made{0};
  std::atomic<std::int64_t> kept{0}, bytes{0};            // now
  std::atomic<std::int64_t> most_kept{0}, most_bytes{0};  // at any time
};
inline ScheduleCounts schedule_counts;

/// A rank's schedules for one kind of call, made when they are first needed.
class Schedules {
 public:
  Schedules(const ScheduleKey& key, int ranks, int rank);
  ~Schedules();
  Schedules(const Schedules&) = delete;
  Schedules& operator=(const Schedules&) = delete;

  /// `aliased`: the input lies in the result's memory. Null without memory.
  const PieceSchedules* get(bool aliased) { return is_made_[aliased] ? &made_[aliased] : make(aliased); }

  const ScheduleKey& key() const { return key_; }
  /// True if some of it is in memory that is set aside.
  bool is_set_aside() const;
  std::size_t steps() const;

 private:
  const PieceSchedules* make(bool aliased);
  void compile(bool aliased);

  ScheduleKey key_;
  const List<std::int64_t> firsts_;  // of the parameters' parts
  const int ranks_, rank_;
  std::array<PieceSchedules, 2> made_;
  std::array<bool, 2> is_made_{};
};

/// True if the schedules of this process take so much memory that whoever keeps some should forget them.
inline bool schedules_are_long() { return schedule_counts.bytes > (64 << 20); }

/// The schedules of a communicator's kinds of calls. A program that alternates between them makes each only once.
class ScheduleCache {
 public:
  ScheduleCache();

  /// Null without memory. REQUIRES: the same rank in every call.
  std::shared_ptr<Schedules> get(const ScheduleKey& key, int ranks, int rank);

 private:
  static constexpr std::size_t most_kinds = 1024;

  std::pmr::unordered_multimap<std::size_t, std::shared_ptr<Schedules>> kept_;  // by hash
};

}  // namespace mpigraft::execute
