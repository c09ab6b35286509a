// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "shim/arguments.hpp"
#include "shim/shadow_comm.hpp"

namespace mpigraft {

/// Why a call ran as it did.
enum class Why { rule, forced, no_rule, one_rank, no_bytes, arguments, floating, commutative, refused };

struct Decision {
  Choice choice = {};
  Why why = Why::no_rule;
  int line = 0;                        // of the rule
  int flat_of = native;                // what was named, where its flat form runs
  std::string_view flat_because = {};  // of the nodes
};

/// The rule for a call; fills the call's facts. A pure function of values equal on all ranks but for wrong
/// arguments, which PMPI rejects on the rank that has them.
Decision decide(const ShadowComm& shadow, Call& call);

/// For people: "rule at line 7 of the table", "needs a commutative operator", ...
std::string explain(const ShadowComm& shadow, const Decision& decision);

}  // namespace mpigraft
