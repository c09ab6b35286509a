// SPDX-License-Identifier: MIT
// Findings in tables that are legal, but probably not as their author meant them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/analysis/region.hpp"
#include "config/table/table.hpp"

namespace mpigraft::analysis {

/// parse_table, with warnings and notes among its findings, all in document order. These leave out rules with errors.
table::ParsedTable check_table(std::string_view text);

/// A bound of a rule's bytes that fits the other rules once it has the suffix that a person forgot.
struct Mistyped {
  const table::Rule* rule;
  bool upper;            // max, else min
  std::int64_t written;  // below 1024
  std::string meant;     // as in JSON
};

/// Compares rules of one collective. Reports a bound only if nothing else explains it: no other rule has it, or begins
/// or ends beside it. Also, 1024 times it (or 1024 times that) must be where a rule for the same calls ends or begins
/// with no other beside it, or a bound of two rules or more.
std::vector<Mistyped> mistyped_thresholds(const std::vector<const table::Rule*>& rules);

/// Calls between two rules that differ only in bytes, or only in ranks, and perhaps in operator. No rule of the
/// collective is for these calls, whatever their nodes and operator.
struct Gap {
  const table::Rule *below, *above;
  std::string_view key;  // what the two differ in
  Region region;
};

/// All gaps between rules of one collective.
std::vector<Gap> gaps(const std::vector<const table::Rule*>& rules);

}  // namespace mpigraft::analysis
