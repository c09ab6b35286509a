// SPDX-License-Identifier: MIT
// The one agreement of a communicator, at its first intercepted call. All ranks take part, whatever their
// environment says, in native collectives on the program's communicator.
#pragma once

#include "shim/shadow_comm.hpp"

namespace mpigraft {

/// Fills the agreed facts of `shadow`, equal on all ranks. Null: this rank has no memory for its state, takes part with
/// a vote for native, and must keep to that. Never throws.
void exchange(MPI_Comm comm, ShadowComm* shadow);

}  // namespace mpigraft
