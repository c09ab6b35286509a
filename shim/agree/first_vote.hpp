// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "shim/agree/negotiation.hpp"

namespace mpigraft::agree {

/// Finds the minimum of each 64-bit word over the ranks of a communicator of which it is not known whether all answer:
/// in some processes mpigraft may be disabled or missing. Returns true on all ranks or on none. It returns false if a
/// rank has waited longer than MPIGRAFT_ANSWER seconds for the others, after which one rank of a node says so. A rank
/// that comes late learns that, and finds false, too. Nonblocking collectives are used, because they do not match the
/// blocking ones of a process that goes on without us.
bool first_vote(const void* mine, void* least, int words, const Negotiated& agreed);

}  // namespace mpigraft::agree
