// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "config/table/table.hpp"

namespace mpigraft::agree {

/// A table as the job agreed on it, parsed. One rank has read it; the others have its text from the exchange.
struct AgreedTable {
  std::string path;    // as asked for: settings().table
  std::string origin;  // the file it came from, or "embedded"
  std::string text;
  std::string error;   // not empty: the table is unusable
  std::string notice;  // of the rank that read it: why the embedded table stands in for the file's
  std::uint64_t digest = 0;
  table::Table table;
};

/// This process's table, or null; kept from the last exchange that brought one for the same MPIGRAFT_TABLE.
std::shared_ptr<const AgreedTable> known_table();

/// Reads the file (or takes the embedded table); what is wrong with it is in `error`. The embedded table stands in for
/// one that requires another MPI library or host: one rank decides that for all, as only its table is sent.
std::shared_ptr<const AgreedTable> load_table();

/// Keeps what another rank has read, as the exchange brought it.
std::shared_ptr<const AgreedTable> keep_table(std::string origin, std::string error, std::string text);

}  // namespace mpigraft::agree
