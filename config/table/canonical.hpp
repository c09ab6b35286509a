// SPDX-License-Identifier: MIT
// The canonical form of a table.
#pragma once

#include <string>

#include "config/table/table.hpp"

namespace mpigraft::table {

/// The canonical form of a table without errors: one rule a line, keys in one order, sizes and figures in their
/// shortest form, no defaults; notes stay. It means the same as the table, and is its own canonical form.
std::string canonical(const Table& table);

}  // namespace mpigraft::table
