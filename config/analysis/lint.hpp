// SPDX-License-Identifier: MIT
// Findings that are legal in a table and hardly meant.
#pragma once

#include <string_view>

#include "config/table/table.hpp"

namespace mpigraft::analysis {

/// parse_table with warnings and notes among its findings, all in document order. Rules with errors are left out of
/// what is looked at.
table::ParsedTable check_table(std::string_view text);

}  // namespace mpigraft::analysis
