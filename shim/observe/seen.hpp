// SPDX-License-Identifier: MIT
#pragma once

#include "shim/observe/composition.hpp"

namespace mpigraft::observe {

/// The observers' memory of a communicator, from call to call.
struct Seen {
  PreviousCall previous_call = {};  // with a report
};

}  // namespace mpigraft::observe
