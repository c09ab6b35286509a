// SPDX-License-Identifier: MIT
// MPIGRAFT_VERIFY: grafted calls also run natively, and the results are compared.
#pragma once

#include "shim/abi/call.hpp"
#include "shim/execute/decision.hpp"

namespace mpigraft::observe {

/// True if the next grafted call of the communicator is verified: the first, and then every N-th. A long call counts
/// once for each of its pieces. Equal on all ranks.
bool verifies_next(const agree::Negotiated& agreed, const execute::TransportState& transport);

/// Does the work of Execution::run(), and also runs the call natively, into memory of its own. If the two results of
/// any rank cannot both be right, one rank reports everything that reproduces the call, once in a process. The program
/// then gets the native results, or an error with MPIGRAFT_FORCE=strict. A call must be `nonblocking` on all ranks or
/// on none. Returns MPI_SUCCESS or an error class.
int graft_and_verify(const agree::Negotiated& agreed, execute::TransportState& transport, const abi::RawCall& raw,
                     const abi::Call& call, const execute::Decision& decision, bool nonblocking = false);

}  // namespace mpigraft::observe
