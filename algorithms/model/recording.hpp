// SPDX-License-Identifier: MIT
// An algorithm's run, written down: every rank's events, without data, time or order between ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "algorithms/info.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::model {

/// Elements [at, at + count) of one rank's memory. It holds the input, the result, unless that is the same memory, and
/// then scratch. Input and result have memory, too, at ranks that have no input or get no result.
struct Span {
  std::uint32_t at = 0;
  std::uint32_t count = 0;

  constexpr bool overlaps(Span other) const { return at < other.at + other.count && other.at < at + count; }
  constexpr bool contains(Span other) const { return at <= other.at && other.at + other.count <= at + count; }
  friend constexpr bool operator==(Span, Span) = default;
};

/// The span of a block that is not within its buffer.
inline constexpr Span outside{std::numeric_limits<std::uint32_t>::max(), 0};

enum class Step : std::uint8_t { isend, irecv, wait, publish, read, copy, combine };

struct Event {
  Step step;
  int peer = none;  // isend, irecv: the other rank; read: the owner; wait: index of the rank's event that is waited for
  Span from = {};   // isend, publish, copy; combine: the lower operand; read: elements of the page
  Span upper = {};  // combine: the upper operand
  Span to = {};     // irecv, read, copy, combine
  int number = 0;   // publish, read: the step of the page
};

/// Elements that a rank handles.
struct Volumes {
  std::int64_t combined = 0;
  std::int64_t sent = 0;      // or published
  std::int64_t received = 0;  // or read
  std::int64_t scratch = 0;
};

struct Recording {
  const CollectiveInfo* collective = nullptr;
  int p = 0;
  std::int64_t m = 0;  // elements of the collective's vector
  Params params = {};
  bool in_place = false;  // only if algorithms can tell
  int ports = 1;          // messages at once each way

  std::vector<Event> events = {};              // of rank 0, then of rank 1, ...
  std::vector<std::size_t> first_event = {0};  // of each rank, and the end
  std::vector<std::size_t> first_cell = {0};   // of each rank's memory when all lie one behind the other, and the end
  Volumes most = {};                           // maxima over ranks
  std::int64_t combined_last = 0;              // at rank p-1
  std::int64_t shortest = std::numeric_limits<std::int64_t>::max();  // the shortest operator application, in elements

  int event_count(int rank) const {
    const auto r = static_cast<std::size_t>(rank);
    return static_cast<int>(first_event[r + 1] - first_event[r]);
  }
  const Event& event(int rank, int index) const {
    return events[first_event[static_cast<std::size_t>(rank)] + static_cast<std::size_t>(index)];
  }

  bool has_input(int rank) const { return collective->has_input(rank, params.root); }
  /// False: the result is never touched.
  bool has_result(int rank) const { return collective->has_result(rank, params.root); }
  /// True if the input lies in the result's memory.
  bool aliased(int rank) const { return collective->aliased(rank, params.root, in_place); }
  Span input(int rank) const;
  Span result(int rank) const;
  /// Address at which scratch begins.
  std::uint32_t end_of_operands(int rank) const;
  /// All memory before end_of_operands() that the rank may write.
  Span writable_result(int rank) const;
};

/// Records the schedules of all ranks of an algorithm on p ranks with a vector of m elements. A caller that records
/// thousands of runs passes the last one as `reused`: fresh memory for its events would cost more than all the rest.
/// Throws std::length_error for more events, pages or elements than can be recorded.
Recording record(const AlgorithmInfo& info, int p, std::int64_t m, const Params& params = {}, bool in_place = false,
                 Recording&& reused = {});

}  // namespace mpigraft::model
