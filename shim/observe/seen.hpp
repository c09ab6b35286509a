// SPDX-License-Identifier: MIT
#pragma once

#include "shim/observe/composition.hpp"

namespace mpigraft::observe {

struct CountedRow;

/// The facts about a communicator that a report keeps from call to call.
struct Seen {
  PreviousCall previous_call = {};
  CountedRow* row = nullptr;  // the row of the last call
};

}  // namespace mpigraft::observe
