// SPDX-License-Identifier: MIT
// The one agreement of a communicator, after its native first calls. All ranks take part, whatever their
// environment says, in native collectives on the program's communicator.
#pragma once

#include "shim/agree/agreement.hpp"

namespace mpigraft::agree {

/// Lets the ranks of the communicator agree. A rank that has no memory for the communicator's state takes part with
/// a vote for native, and must keep to that; one that `may_learn` has memory for that, too. Never throws.
Agreement exchange(abi::Comm comm, bool has_memory, bool may_learn = false);

}  // namespace mpigraft::agree
