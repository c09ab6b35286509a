// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "shim/observe/composition.hpp"

namespace mpigraft::observe {

struct CountedRow;

/// The observers' memory of a communicator, from call to call; with a report.
struct Seen {
  PreviousCall previous_call = {};
  CountedRow* row = nullptr;  // of the last call
  std::int64_t calls = 0;     // the same on all its ranks
  std::uint64_t name = 0;     // its name for all its ranks alike; 0: its calls are not compared
};

}  // namespace mpigraft::observe
