// SPDX-License-Identifier: MIT
#pragma once

#include "shim/entry/last_call.hpp"

namespace mpigraft::entry {

/// The decision for a call on the communicator that `last` knows, which remembers it; fills the call's facts.
operation::Decision decided(LastCall& last, const abi::RawCall& raw, abi::Call& call);

/// MPIGRAFT_STRICT: what is named but cannot run is an error, except where MPI itself leaves nothing to run, and where
/// a rank had no memory: one that could not keep its state does not know of an error and would wait for the others.
bool strict_forbids(const agree::Agreement& agreed, const operation::Decision& decision);
/// Says why, once, and raises the error that it returns.
int refuse(const agree::Agreement& agreed, const abi::Call& call, const operation::Decision& decision);

/// Hands an error to the communicator's handler; returns it.
int raise(const agree::Agreement& agreed, int error);

}  // namespace mpigraft::entry
