// SPDX-License-Identifier: MIT
#pragma once

#include "shim/entry/last_call.hpp"

namespace mpigraft::entry {

/// A call on the communicator that `last` knows, with its facts, and the decision for it, which lies in `last`, with
/// its plan where an algorithm is to run, until the next call.
struct Decided {
  Decided(LastCall& last, const abi::RawCall& raw) : Decided(last, raw, last.decided && last.is_like(raw)) {}

  abi::Call call;
  const operation::Decision& decision;

 private:
  Decided(LastCall& last, const abi::RawCall& raw, bool again);
};

/// MPIGRAFT_STRICT: an algorithm that is named but cannot run is an error, except where MPI itself leaves nothing to
/// run, and where a rank had no memory. A rank that could not keep its state would not know of the error, and wait for
/// the others.
bool strict_forbids(const agree::Agreement& agreed, const operation::Decision& decision);
/// Says why, once, and raises the error that it returns.
int refuse(const agree::Agreement& agreed, const abi::Call& call, const operation::Decision& decision);

/// Hands an error to the communicator's handler; returns it.
int raise(const agree::Agreement& agreed, int error);

}  // namespace mpigraft::entry
