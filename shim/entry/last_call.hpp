// SPDX-License-Identifier: MIT
#pragma once

#include "shim/entry/communicator.hpp"
#include "shim/entry/made_call.hpp"
#include "shim/execute/decision.hpp"
#include "shim/execute/plan.hpp"

namespace mpigraft::entry {

/// One that is not known to stay native.
struct LastCall : MadeCall {
  bool decided = false;                  // false: only the communicator is remembered
  Communicator* communicator = nullptr;  // null: it is warming_up
  learning::Entry* trial = nullptr;      // the trial for calls like it, until it is over

  abi::CallFacts facts;
  execute::Decision decision;
  execute::Plan plan;  // valid if the decision names an algorithm
  Warming* warming_up = nullptr;

  bool is_like(const abi::RawCall& raw) const { return decided && kind.is_of(raw); }

  void remember(const abi::RawCall& raw, std::uint64_t now, Communicator& found) {
    made_in = now, comm = raw.comm, communicator = &found;
    decided = false;
  }
  void remember(const abi::RawCall& raw, std::uint64_t now, Warming& found) {
    made_in = now, comm = raw.comm, communicator = nullptr, warming_up = &found;
    decided = false;
  }
  /// Keeps the decision for the next call like this one.
  void remember(const abi::CallKind& of_call, const abi::CallFacts& of_facts) {
    kind = of_call, facts = of_facts, decided = true;
  }
};

/// This thread's place for calls like `raw`.
LastCall& last_call_of(const abi::RawCall& raw);

}  // namespace mpigraft::entry
