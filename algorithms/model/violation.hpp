// SPDX-License-Identifier: MIT
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>

#include "algorithms/model/recording.hpp"

namespace mpigraft::model {

/// The ways in which an algorithm can be wrong.
enum class Fault {
  none,
  bounds,     // a block that is not within its buffer, a peer that does not exist
  length,     // blocks of one operation, or the two sides of a message, differ in length
  page,       // publishes more than a page holds, or reads what its owner has not published with it
  step,       // publishes twice in a step, or goes back to an earlier one
  overlap,    // blocks of one operation share memory
  pending,    // touches a block of an unfinished send or receive
  forbidden,  // writes what is read only, or a result that the collective does not define
  undefined,  // reads what was never written
  operands,   // combines what are not neighbours in rank order, or different elements
  result,     // the result is not the collective's
  ports,      // more outstanding sends, or receives, than ports
  request,    // waits for something else than an outstanding request
  deadlock,
  unfinished,  // a send or a receive that is never waited for
  rounds,      // from here on: not what the algorithm states about itself
  applications,
  applications_last,
  sent,
  received,
  scratch,
  cut,          // applies the operator to a part of the vector
  association,  // ranks that should get the same bits combine in different orders
  late,         // a pipeline that combines before it announces its next receive
  poison,       // a rank depends on a failed one and does not learn of it
};

/// The text of all pieces, one behind the other.
template <class... Pieces>
std::string text_of(const Pieces&... pieces) {
  std::ostringstream text;
  (text << ... << pieces);
  return text.str();
}

class Violation : public std::runtime_error {
 public:
  template <class... Pieces>
  explicit Violation(Fault fault, const Pieces&... pieces) : std::runtime_error(text_of(pieces...)), fault(fault) {}
  const Fault fault;
};

/// "input[0..3)"
std::string words(const Recording& recording, int rank, Span span);
/// "rank 2, event 5, send result[0..3) to rank 4"
std::string words(const Recording& recording, int rank, int index);

}  // namespace mpigraft::model
