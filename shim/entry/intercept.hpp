// SPDX-License-Identifier: MIT
#pragma once

#include "shim/abi/call.hpp"

namespace mpigraft::entry {

/// Grafts the call or forwards it; `caller` is the address it came from.
int intercepted(const abi::RawCall& call, const void* caller);

}  // namespace mpigraft::entry
