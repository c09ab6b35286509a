// SPDX-License-Identifier: MIT
// A table as the rank that has read it sends it to the others, which parse nothing.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "config/table/table.hpp"

namespace mpigraft::table {

/// A table that one rank reads for all.
struct SharedTable {
  std::string origin;  // the file it came from, or "embedded"
  std::string error;   // not empty: the table is unusable
  Table table;
};

/// Removes what people wrote to one another, which no call needs.
void drop_notes(Table& table);

/// The table in bytes; the same for equal tables. The form has no version, because processes that exchange it have
/// compared the versions of their libraries.
std::string packed(const SharedTable& table);

/// The inverse; empty if bytes are missing or differ from those that were packed. Throws only std::bad_alloc.
std::optional<SharedTable> unpacked(std::string_view bytes);

/// The embedded table, packed without its notes when the library was built.
std::string_view default_table_packed(Interface interface = Interface::mpich);

}  // namespace mpigraft::table
