// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "config/table/table.hpp"

namespace mpigraft::agree {

/// A table that the job agreed on, parsed. One rank has read the file; the others have its text from the exchange.
struct AgreedTable {
  std::string path;    // the file that was asked for: settings().table
  std::string origin;  // the file it came from, or "embedded"
  std::string text;
  std::string error;   // not empty: the table is unusable
  std::string notice;  // why the embedded table takes the file's place; only on the rank that read it
  std::uint64_t digest = 0;
  table::Table table;
};

/// The table of this process's last exchange that brought one; null if there is none for the current MPIGRAFT_TABLE.
std::shared_ptr<const AgreedTable> known_table();

/// Reads the table's file, or takes the embedded table; an unusable table has an `error`. The embedded table also takes
/// the place of one that requires another MPI library or host. The rank that reads decides that for all, because only
/// its table is sent.
std::shared_ptr<const AgreedTable> load_table();

/// Parses and keeps the table that another rank has read.
std::shared_ptr<const AgreedTable> keep_table(std::string origin, std::string error, std::string text);

}  // namespace mpigraft::agree
