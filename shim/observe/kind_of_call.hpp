// SPDX-License-Identifier: MIT
#pragma once

#include "shim/abi/arguments.hpp"
#include "shim/observe/difference.hpp"

namespace mpigraft::observe {

/// The way in which results of a call are compared. REQUIRES: inspect() has filled in the call's facts.
Kind kind_of(const abi::Call& call);

}  // namespace mpigraft::observe
