// SPDX-License-Identifier: MIT
// The one way to write a table down.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/table/table.hpp"

namespace mpigraft::table {

/// A table without errors, one rule a line, keys in one order, sizes in their shortest form, nothing that says what is
/// so without it; notes stay. The same table, and its own canonical form.
std::string canonical(std::string_view table);

/// The same with other rules, which text_of has written.
std::string canonical(std::string_view table, const std::vector<std::string>& rules);

/// A rule as its line of a canonical table, without the comma.
std::string text_of(const Rule& rule);
std::string text_of(const CompositionRule& rule);

}  // namespace mpigraft::table
