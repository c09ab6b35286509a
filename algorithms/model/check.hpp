// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/model/price.hpp"
#include "algorithms/model/recording.hpp"
#include "algorithms/model/violation.hpp"

namespace mpigraft::model {

struct Verdict {
  Fault fault = Fault::none;
  std::string text;  // the first violation, for a person
  explicit operator bool() const { return fault == Fault::none; }
};

/// The Violation that `check` throws, as a verdict.
template <class Check>
Verdict verdict_of(Check check) {
  try {
    check();
  } catch (const Violation& violation) {
    return {violation.fault, violation.what()};
  }
  return {};
}

/// Checks that the recorded run is right in every rank and element, keeps the rules of transport.hpp, cannot deadlock
/// however little the network buffers, keeps to its scratch, and costs what is `stated`, if anything is.
Verdict check(const Recording& recording, const AlgorithmInfo& info, std::optional<Cost> stated = {});

/// Hashes of the trees in which the elements of all results were combined, rank by rank: the association, which decides
/// the last bits of floating-point sums. If `commutative`, subtrees may be swapped. Throws a Violation if the run is
/// not right.
std::vector<std::uint64_t> associations(const Recording& recording, bool commutative);

/// Checks that the collective makes of pairs (x, x) what a scan and the same collective of its result make of x, for
/// all pairs of operators of which one distributes over the other: Theorems 1 and 2 of Gorlatch, Lengauer 1997.
Verdict check_pairs(const Recording& recording);

/// Checks that messages and combining overlap, as they should in a pipeline: whenever a rank combines, its next
/// receive, if it has one, has been announced.
Verdict check_ahead(const Recording& recording);

/// A bit for each of up to 64 failures, which are followed at once.
using Failures = std::uint64_t;

/// The failures after which a rank marks its messages: `failed` are its own, and after those that were `told` it has
/// got a marked message of another.
using PoisonRule = Failures (*)(Failures failed, Failures told);
constexpr Failures pass_on(Failures failed, Failures told) { return failed | told; }

/// Throws a Violation if a rank leaves before all have come. That a rank has come, it tells others as it would tell
/// them that it failed before its first event.
void check_arrivals(const Recording& recording);

/// Rank `failing` fails before its event `event`, and goes through the rest of its schedule with empty messages. `rule`
/// says who marks messages. Checks that every rank whose result depends on what the failed rank did not do is told.
Verdict check_poison(const Recording& recording, int failing, int event, PoisonRule rule = pass_on);
/// The same for every rank, before each of its events.
Verdict check_poison(const Recording& recording, PoisonRule rule = pass_on);

}  // namespace mpigraft::model
