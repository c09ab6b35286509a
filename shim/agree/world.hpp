// SPDX-License-Identifier: MIT
// What ranks know of each other because they are in one MPI_COMM_WORLD.
#pragma once

#include "shim/abi/handles.hpp"
#include "shim/agree/negotiation.hpp"

namespace mpigraft::agree {

/// A reason that needs no vote, because all ranks see it: an intercommunicator, or a process outside MPI_COMM_WORLD.
FallbackReason native_by_nature(abi::Comm comm);

/// Tells that all ranks of MPI_COMM_WORLD have voted together, and that the blocking calls of each come in one order.
void know_world(bool at_once);

/// The contact of a communicator whose ranks have done so, and which has no others; otherwise not in touch. Equal on
/// all of its ranks in a blocking call: such calls come in one order everywhere (MPI-4.0, 6.14).
Contact contact_in_world(abi::Comm comm);

}  // namespace mpigraft::agree
