// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "config/table/selection.hpp"
#include "shim/abi/arguments.hpp"
#include "shim/operation/traffic.hpp"

namespace mpigraft::operation {

/// A selection, and what the library alone knows of it.
struct Decision : table::Selection {
  constexpr Decision(const table::Selection& made = {}, agree::Refusal refused = agree::Refusal::none, int at_line = 0)
      : table::Selection(made), refusal(refused), line(at_line) {}

  agree::Refusal refusal;  // where it is refused
  int line;                // of the rule
};

/// The rule for a call; fills the call's facts. A pure function of values equal on all ranks but for wrong
/// arguments, which PMPI rejects on the rank that has them. Collective where an algorithm is to run for the first time:
/// it makes the traffic.
Decision decide(const agree::Agreement& agreed, Traffic& traffic, abi::Call& call);

/// The decision of a communicator without state: nothing but to stay native.
Decision decide_native(const agree::Agreement& agreed, abi::Call& call);

/// The facts of an inspected call that rules ask for, and where its ranks are. The traffic stands.
table::Query query_of(const agree::Agreement& agreed, const abi::Call& call);
table::Place place_of(const agree::Agreement& agreed, const Traffic& traffic, const abi::Call& call);

/// The way that settings, rules or the model choose for a composition of so many bytes. REQUIRES: a table is agreed on.
table::WaySelection way_for(const agree::Agreement& agreed, Composition composition, std::int64_t bytes);

/// For people: "rule at line 7 of the table", "needs a commutative operator", ...
std::string explain(const Decision& decision);

}  // namespace mpigraft::operation
