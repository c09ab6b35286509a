// SPDX-License-Identifier: MIT
// What moves between ranks, round by round: the worked examples of algorithms, and `mpigraft explain --schedule`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "algorithms/model/recording.hpp"

namespace mpigraft::model {

/// Consecutive elements of the vector that are combined from the same ranks.
struct Piece {
  std::int64_t first, last;
  int lo = 0, hi = 0;  // ranks lo..hi-1; lo = hi: several, or unknown, as the operator is commutative
};

/// A message, or what a rank reads of another one's page.
struct Transfer {
  int round;  // from 1 on
  int from, to;
  bool is_read;
  std::int64_t count;  // elements
  std::vector<Piece> pieces;

  /// The rank that the program does it in.
  int actor() const { return is_read ? to : from; }
};

/// The transfers of a run, by round, then by actor. Throws a Violation if the run is wrong.
std::vector<Transfer> transfers_of(const Recording& recording, bool commutative);

/// "0-2[1]>4" is element 1 of x_0 (+) x_1 (+) x_2, sent to rank 4; "0<2" is x_0, read from rank 2's page. Elements are
/// left out if they are all of them. Ranks are left out if elements are told and nothing is combined, and if they are
/// unknown.
std::string words(const Recording& recording, const Transfer& transfer);

/// A table: a line with all ranks, and one for each round with what they send and read. Lines are at most `width` long;
/// ranks without room have tables of their own after it.
std::vector<std::string> lines_of(const Recording& recording, const std::vector<Transfer>& transfers,
                                  std::size_t width = std::numeric_limits<std::size_t>::max());

}  // namespace mpigraft::model
