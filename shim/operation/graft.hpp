// SPDX-License-Identifier: MIT
#pragma once

#include "config/table/table.hpp"
#include "shim/abi/arguments.hpp"
#include "shim/entry/shadow_comm.hpp"

namespace mpigraft {

/// Runs the algorithm of `choice` for an inspected call. The private communicator stands. Returns MPI_SUCCESS or an
/// error class, the same kind on every rank that the error concerns.
int graft(ShadowComm& shadow, const Call& call, const Choice& choice);

}  // namespace mpigraft
