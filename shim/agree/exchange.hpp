// SPDX-License-Identifier: MIT
// The exchange of a communicator, once in its life, after its first calls, which are native. All ranks take part,
// whatever their environment says, by native collectives on the program's communicator.
#pragma once

#include "shim/agree/agreement.hpp"

namespace mpigraft::agree {

/// Makes the ranks of the communicator agree. Collective. `has_memory`: this rank has memory for the communicator's
/// state; one that has none votes for native, and so all calls stay native. `may_learn`: it has memory for learning,
/// too. Never throws.
Agreement exchange(abi::Comm comm, bool has_memory, bool may_learn = false);

}  // namespace mpigraft::agree
