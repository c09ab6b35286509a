// SPDX-License-Identifier: MIT
#pragma once

#include "shim/observe/composition.hpp"

namespace mpigraft::observe {

struct CountedRow;

/// Where the statistics of a communicator's calls are, kept from call to call.
struct CallStatistics {
  PreviousCall previous_call = {};
  CountedRow* row = nullptr;  // the row of the last call
};

}  // namespace mpigraft::observe
