// SPDX-License-Identifier: MIT
#pragma once

#include "shim/entry/last_call.hpp"

namespace mpigraft::entry {

/// A call on the communicator that `last` knows, with its facts and the decision for it. Decision and plan lie in
/// `last`, until the next call.
struct Decided {
  /// `blocks`: the ranks may wait for each other, to make what the call needs.
  Decided(LastCall& last, const abi::RawCall& raw, bool blocks = true)
      : Decided(last, raw, blocks, last.is_like(raw)) {}

  abi::Call call;
  const execute::Decision& decision;

 private:
  Decided(LastCall& last, const abi::RawCall& raw, bool blocks, bool again);
};

/// True if MPIGRAFT_FORCE=strict makes a call an error, because an algorithm is named but cannot run. Calls on
/// intercommunicators and with MPIGRAFT_DISABLE are none. Nor are calls after a rank had no memory: without its state
/// that rank would not know of the error, and wait for the others.
bool strict_forbids(const agree::Negotiated& agreed, const execute::Decision& decision);
/// Says once why strict_forbids() is true. Raises and returns MPI_ERR_OTHER.
int refuse(const agree::Negotiated& agreed, const abi::Call& call, const execute::Decision& decision);

/// Calls the communicator's error handler with the error class of a call, and returns it. If the handler ends the
/// program because ranks differ, says first in which call.
int raise(const agree::Negotiated& agreed, const abi::Call& call, int error);

}  // namespace mpigraft::entry
