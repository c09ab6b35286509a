// SPDX-License-Identifier: MIT
#pragma once

#include "shim/entry/communicator.hpp"
#include "shim/entry/made_call.hpp"

namespace mpigraft::entry {

/// A made call that need not stay native, and where to find what is known of it.
struct alignas(64) LastCall : MadeCall {
  Communicator* communicator = nullptr;  // null: it is warming_up
  KnownCall* known = nullptr;            // what was known of this call, and may by now be of another one; null: nothing
  Warming* warming_up = nullptr;

  void remember(const abi::RawCall& raw, std::uint64_t now, Communicator& found) {
    made_in = now, comm = raw.comm, communicator = &found, known = nullptr;
  }
  void remember(const abi::RawCall& raw, std::uint64_t now, Warming& found) {
    made_in = now, comm = raw.comm, communicator = nullptr, known = nullptr, warming_up = &found;
  }
};

/// This thread's place for calls like `raw`.
LastCall& last_call_of(const abi::RawCall& raw);

}  // namespace mpigraft::entry
