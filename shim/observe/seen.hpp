// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "shim/observe/composition.hpp"

namespace mpigraft::observe {

struct CountedRow;

/// The facts about a communicator that a report keeps from call to call.
struct Seen {
  PreviousCall previous_call = {};
  CountedRow* row = nullptr;  // the row of the last call
  std::int64_t calls = 0;     // number of calls; the same on all its ranks
  std::uint64_t name = 0;     // the same on all its ranks; 0: its calls are not compared
};

}  // namespace mpigraft::observe
