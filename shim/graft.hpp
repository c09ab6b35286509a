// SPDX-License-Identifier: MIT
#pragma once

#include "config/table.hpp"
#include "shim/arguments.hpp"
#include "shim/shadow_comm.hpp"

namespace mpigraft {

/// Runs the algorithm of `choice` for an inspected call. The private communicator stands. Returns MPI_SUCCESS or an
/// error class, the same kind on every rank that the error concerns.
int graft(ShadowComm& shadow, const Call& call, const Choice& choice);

}  // namespace mpigraft
