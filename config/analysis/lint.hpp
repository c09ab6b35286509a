// SPDX-License-Identifier: MIT
// Findings in tables that are legal, but probably not as their author meant them.
#pragma once

#include <string_view>
#include <vector>

#include "config/analysis/region.hpp"
#include "config/table/table.hpp"

namespace mpigraft::analysis {

/// parse_table, with warnings and notes among its findings, all in document order. These leave out rules with errors.
table::ParsedTable check_table(std::string_view text);

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
