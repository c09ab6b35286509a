// SPDX-License-Identifier: MIT
// The canonical form of a table.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/table/table.hpp"

namespace mpigraft::table {

/// The canonical form of a table that has no errors: one rule a line, keys in one order, sizes in their shortest form,
/// no defaults; notes stay. It means the same as the table, and is its own canonical form.
std::string canonical(std::string_view table);

/// The same with other rules, as text_of writes them.
std::string canonical(std::string_view table, const std::vector<std::string>& rules);

/// A rule as its line of a canonical table, without the comma.
std::string text_of(const Rule& rule);
std::string text_of(const CompositionRule& rule);

}  // namespace mpigraft::table
