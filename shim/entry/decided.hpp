// SPDX-License-Identifier: MIT
#pragma once

#include "shim/entry/last_call.hpp"

namespace mpigraft::entry {

/// The decision for a call on the communicator that `last` knows, which remembers it; fills the call's facts.
operation::Decision decided(LastCall& last, const abi::RawCall& raw, abi::Call& call);

}  // namespace mpigraft::entry
