// SPDX-License-Identifier: MIT
// The words that the table, MPIGRAFT_FORCE and the command share: collectives, algorithms and their options.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "algorithms/info.hpp"
#include "config/table/table.hpp"

namespace mpigraft::table {

/// The collective of this name in tables, such as "exscan"; empty if there is none.
std::optional<Collective> find_collective(std::string_view name);

struct Resolved {
  Choice choice = {};                // only without a problem, as
  Variant variant = Variant::fused;  // is this, of a composition
  std::string problem = {};          // empty: resolved
  std::string hint = {};
  std::string note = {};  // that the name is another one for an algorithm of ours
};

/// Resolves "native", an algorithm's name within its collective, its full name, or what others call it.
Resolved resolve_algorithm(Collective collective, std::string_view name);

/// Resolves an algorithm as above with its options: "k_ported@ports=3@64K", "binomial@barrier".
Resolved resolve_choice(Collective collective, std::string_view words);

/// The composition of this name in tables, such as "scan_reduce"; empty if there is none.
std::optional<Composition> find_composition(std::string_view name);

/// Resolves "fused", "decomposed" or "apart", if the composition has that variant.
Resolved resolve_variant(Composition composition, std::string_view name);

/// Reads "none" or a size above zero; empty for anything else.
std::optional<std::int64_t> parse_segment(std::string_view text);

/// "none" or a size; the inverse of parse_segment.
std::string format_segment(std::int64_t segment);

/// A sentence if the choice's algorithm does not take the option ("segment", "ports" or "barrier"), otherwise "".
std::string refusal(Choice choice, std::string_view option);

/// The full name with its options, as resolve_choice reads it: "exscan/k_ported@64K@ports=3".
std::string words_of(Choice choice);

/// The entry of MPIGRAFT_FORCE that asks for the choice: "exscan=k_ported@64K@ports=3".
std::string forced_words(Choice choice);

}  // namespace mpigraft::table
