// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "config/table/selection.hpp"
#include "shim/abi/arguments.hpp"
#include "shim/execute/transport_state.hpp"

namespace mpigraft::execute {

/// A selection, with facts that only the library knows.
struct Decision : table::Selection {
  constexpr Decision(const table::Selection& made = {}, agree::FallbackReason refused = agree::FallbackReason::none,
                     int at_line = 0)
      : table::Selection(made), fallback(refused), line(at_line) {}

  bool is_native() const { return choice.algorithm == table::native; }

  agree::FallbackReason fallback;  // the reason if the call is refused
  int line;                        // the rule's line in the table; 0: no rule
};

/// Decides what runs for a call, and fills in the call's facts. The decision depends only on values that are equal on
/// all ranks, except that wrong arguments make a call native on the rank that has them; there PMPI rejects them.
/// Collective if an algorithm is chosen for the first time, because it then makes the transport state.
Decision decide(const agree::Negotiated& agreed, TransportState& transport, abi::Call& call);

/// The decision for a call on a communicator that stays native.
Decision decide_native(const agree::Negotiated& agreed, abi::Call& call);

/// The lengths in bytes around a call's for which settings and rules say the same. REQUIRES: as decide() left the call,
/// it has bytes.
table::Range alike(const agree::Negotiated& agreed, const abi::Call& call);

/// The facts of a call that rules ask for. REQUIRES: inspect() has filled in the call's own.
table::Query query_of(const agree::Negotiated& agreed, const abi::Call& call);
/// The facts about nodes and shared memory that decide whether an algorithm suits. REQUIRES: transport.ensure().
table::Place place_of(const agree::Negotiated& agreed, const TransportState& transport, const abi::Call& call);

/// The variant that settings, rules or the model choose for a composition of `bytes` bytes. REQUIRES: a table is agreed
/// on.
table::VariantSelection variant_for(const agree::Negotiated& agreed, Composition composition, std::int64_t bytes);

/// The reason of a decision in words: "rule at line 7 of the table", "needs a commutative operator", ...
std::string explain(const Decision& decision);

}  // namespace mpigraft::execute
