// SPDX-License-Identifier: MIT
// Which ranks come last to calls that are alike, and how long the others wait for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace mpigraft::report {

struct LateRank {
  std::int64_t rank = 0;       // of MPI_COMM_WORLD
  std::int64_t last = 0;       // calls to which it came last
  std::int64_t waited_ns = 0;  // in these calls
};

/// Covers calls in which all ranks could be compared. Calls and times are those of all ranks together: a call of four
/// ranks counts four times.
struct Lateness {
  std::int64_t calls = 0, ns = 0;
  std::vector<LateRank> ranks = {};  // that came last; in the order of keep_worst once it has been called
  LateRank others = {};              // that are not kept one by one; `rank` is their number

  std::int64_t waited_ns() const;
  /// The one of a rank that came last, which is made where there is none.
  LateRank& of(std::int64_t rank);
  void add(const Lateness& other);
  /// Leaves those for which the others waited longest, and adds up the rest.
  void keep_worst(std::size_t most);
};

/// "62% of 1.94 s was waiting for the last; rank 3 came last in 71% of the calls (1.2 s), ...".
std::string words_of(const Lateness& late);

}  // namespace mpigraft::report
