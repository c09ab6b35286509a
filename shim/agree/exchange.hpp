// SPDX-License-Identifier: MIT
// The one agreement of a communicator, after its native first calls. All ranks take part, whatever their
// environment says, in native collectives on the program's communicator.
#pragma once

#include "shim/entry/shadow_comm.hpp"

namespace mpigraft {

/// Names the reason to stay native that needs no vote: all ranks see it alike.
Refusal native_by_nature(MPI_Comm comm);

/// Fills the agreed facts of `shadow`, equal on all ranks. Null: this rank has no memory for its state, takes part with
/// a vote for native, and must keep to that. Never throws.
void exchange(MPI_Comm comm, ShadowComm* shadow);

}  // namespace mpigraft
