// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "config/table/packed.hpp"
#include "shim/abi/functions.hpp"

namespace mpigraft::agree {

/// A table that the job agreed on. One rank has read the file; the others have the rules from the negotiation.
struct AgreedTable : table::SharedTable {
  std::string notice;        // why the embedded table takes the file's place; only on the rank that read it
  std::string packed;        // as it is sent
  std::uint64_t digest = 0;  // of `packed`
};

/// The table of this process's last negotiation that brought one; null if there is none.
std::shared_ptr<const AgreedTable> known_table();

/// Reads the table's file, or takes the embedded table; an unusable table has an `error`. The embedded table also takes
/// the place of one that requires another MPI library or host. The rank that reads decides that for all, because only
/// its table is sent.
std::shared_ptr<const AgreedTable> load_table();

/// Broadcasts rank 0's table, which is `length` bytes long as it is sent; other ranks keep what they get. Returns null
/// on a rank that lacks memory or got other bytes. Collective.
std::shared_ptr<const AgreedTable> share_table(std::shared_ptr<const AgreedTable> table, std::int64_t length,
                                               abi::Comm comm);

}  // namespace mpigraft::agree
