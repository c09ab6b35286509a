// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "config/table/table.hpp"
#include "shim/abi/arguments.hpp"
#include "shim/operation/traffic.hpp"

namespace mpigraft {

/// Why a call ran as it did.
enum class Why { rule, forced, no_rule, whole, one_rank, no_bytes, arguments, floating, commutative, refused };

struct Decision {
  Choice choice = {};
  Why why = Why::no_rule;
  Refusal refusal = Refusal::none;     // where it is refused
  int line = 0;                        // of the rule
  int flat_of = native;                // what was named, where its flat form runs
  std::string_view flat_because = {};  // of the nodes
};

/// The rule for a call; fills the call's facts. A pure function of values equal on all ranks but for wrong
/// arguments, which PMPI rejects on the rank that has them. Collective where an algorithm is to run for the first time:
/// it makes the traffic.
Decision decide(const Agreement& agreed, Traffic& traffic, Call& call);

/// What a communicator without state decides: nothing but to stay native.
Decision decide_native(const Agreement& agreed, Call& call);

/// For people: "rule at line 7 of the table", "needs a commutative operator", ...
std::string explain(const Decision& decision);

}  // namespace mpigraft
