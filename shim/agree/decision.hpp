// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <string>

#include "config/table/selection.hpp"
#include "shim/abi/arguments.hpp"

namespace mpigraft {

using Decision = Selection;

/// The last call of each collective with predefined handles, and what was decided: programs repeat themselves.
class LastCalls {
 public:
  /// What was decided of a call like this one, whose facts it then has.
  const Decision* find(Call& call) const;
  void keep(const Call& call, const Decision& decision);
  void forget() { last_ = {}; }

 private:
  struct Last {
    Call call;
    Decision decision;
  };
  std::array<std::optional<Last>, collective_count> last_;  // by Collective
};

/// The rule for a call; fills the call's facts. A pure function of values equal on all ranks but for wrong
/// arguments, which PMPI rejects on the rank that has them.
Decision decide(ShadowComm& shadow, Call& call);

/// For people: "rule at line 7 of the table", "needs a commutative operator", ...
std::string explain(const ShadowComm& shadow, const Decision& decision);

}  // namespace mpigraft
