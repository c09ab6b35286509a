// SPDX-License-Identifier: MIT
// MPIGRAFT_VERIFY: grafted calls run natively too, and the results are compared.
#pragma once

#include "shim/abi/call.hpp"
#include "shim/operation/decision.hpp"

namespace mpigraft::observe {

/// Whether the next grafted call of the communicator is verified: its first, and then every N-th. Equal on all ranks.
bool verifies_next(const agree::Agreement& agreed, const operation::Traffic& traffic);

/// Like Operation::run(), and runs the call natively as well, into memory of its own. Where any rank's results cannot
/// both be right, one rank says all that reproduces it, once in a process; the program gets the native results, or with
/// MPIGRAFT_STRICT an error. A call is `nonblocking` on all ranks or on none.
int graft_and_verify(const agree::Agreement& agreed, operation::Traffic& traffic, const abi::RawCall& raw,
                     const abi::Call& call, const operation::Decision& decision, bool nonblocking = false);

}  // namespace mpigraft::observe
