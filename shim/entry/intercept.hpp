// SPDX-License-Identifier: MIT
#pragma once

#include "shim/abi/call.hpp"

namespace mpigraft::entry {

/// Grafts the call or forwards it. `caller` is its return address. Returns MPI's error code.
int intercepted(const abi::RawCall& call, const void* caller);

}  // namespace mpigraft::entry
