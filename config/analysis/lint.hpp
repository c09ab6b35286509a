// SPDX-License-Identifier: MIT
// Findings in tables that are legal, but probably not as their author meant them.
#pragma once

#include <string_view>

#include "config/table/table.hpp"

namespace mpigraft::analysis {

/// parse_table, with warnings and notes among its findings, all in document order. These leave out rules with errors.
table::ParsedTable check_table(std::string_view text);

}  // namespace mpigraft::analysis
