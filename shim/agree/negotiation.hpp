// SPDX-License-Identifier: MIT
// The negotiation of a communicator, after its first calls, which are native. All ranks take part by native collectives
// on the program's communicator, except those of processes that mpigraft is not in, or that disabled it.
#pragma once

#include "shim/agree/negotiated.hpp"

namespace mpigraft::agree {

/// The facts that the ranks of a communicator know of each other before they negotiate; equal on all of them.
struct Contact {
  bool in_touch;         // all are known to take part; set by the negotiation
  bool due;              // native calls have taken long enough
  bool at_once = false;  // set by the negotiation: native calls take long, or a rank wants none
};

/// Makes the ranks of the communicator agree. Collective. The reason is `later` if it is not due, if a rank is in a
/// callback of MPI, where not all can be made, or if ranks did not answer in time. `has_memory`: this rank has memory
/// for the communicator's state; one that has none votes for native, and so all calls stay native. `may_learn`: it has
/// memory for learning, too. Never throws.
Negotiated negotiate(abi::Comm comm, Contact& contact, bool has_memory, bool may_learn = false);

}  // namespace mpigraft::agree
