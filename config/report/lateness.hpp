// SPDX-License-Identifier: MIT
// The ranks that come last to calls that are alike, and the time that others wait for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace mpigraft::report {

struct LateRank {
  std::int64_t rank = 0;       // of MPI_COMM_WORLD
  std::int64_t last = 0;       // calls to which it came last
  std::int64_t waited_ns = 0;  // time that others waited for it
};

/// Covers calls in which all ranks could be compared. Calls and times are those of all ranks together: a call of four
/// ranks counts four times.
struct Lateness {
  std::int64_t calls = 0, ns = 0;
  std::vector<LateRank> ranks = {};  // ranks that came last; in the order of keep_worst once it has been called
  LateRank others = {};              // the ranks that are not kept one by one; `rank` is their number

  std::int64_t waited_ns() const;
  /// The entry of a rank that came last, made if there is none.
  LateRank& of(std::int64_t rank);
  void add(const Lateness& other);
  /// Keeps the `most` ranks for which the others waited longest, and adds up the rest in `others`.
  void keep_worst(std::size_t most);
};

/// "62% of 1.94 s was waiting for the last; rank 3 came last in 71% of the calls (1.2 s), ...".
std::string words_of(const Lateness& late);

}  // namespace mpigraft::report
