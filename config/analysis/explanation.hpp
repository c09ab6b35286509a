// SPDX-License-Identifier: MIT
// The library's decision on a call, and the reason.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/table/selection.hpp"
#include "config/table/settings.hpp"
#include "config/table/table.hpp"
#include "config/table/table_file.hpp"

namespace mpigraft::analysis {

inline constexpr const char* site_file = "site file";

/// The table in force, with the place it came from.
struct LoadedTable : table::LoadedTable {
  std::string source;  // "--table", "MPIGRAFT_TABLE", "MPIGRAFT_LEARN", site_file, "embedded"
};

/// Loads the table in force. `option` is the path that --table gives, or empty. `interface` is that of the MPI whose
/// built-in table applies if there is no other.
LoadedTable load_table(const std::string& option, const table::Settings& settings,
                       table::Interface interface = table::Interface::mpich);

/// The library's choice if every node had ranks_per_node.max consecutive ranks, and the last one those that are left.
table::Selection selection_of(const table::Query& query, const table::Settings& settings, const table::Table& table);

struct Skipped {
  int line;
  std::string reason;
  bool of_other;  // collective
};

struct Explanation {
  table::Choice choice;
  table::Reason kind;
  std::string reason;                 // the same in words
  std::string further = {};           // what else there is to say: "; flat form of ..."
  const table::Rule* rule = nullptr;  // if a rule decided
  std::vector<Skipped> skipped;       // the rules before it
  std::optional<int> rounds = {};     // what rounds_of counts, if it was asked
};

/// What an algorithm is run with: root 0, even parts, and nodes as selection_of has them.
struct Operation {
  std::vector<int> nodes, cache_groups;  // params.nodes shows one of them: an Operation can be moved, but not copied
  Params params;
  std::int64_t elements;
};
Operation operation_of(const table::Query& query, const table::Choice& choice, const table::Settings& settings,
                       const Machine& machine);

/// The rounds of such a call, counted in the schedules of all ranks; nothing for a native call, and for one of so many
/// steps that counting would take long.
std::optional<int> rounds_of(const table::Query& query, const table::Choice& choice, const table::Settings& settings,
                             const Machine& machine);

/// Rules in the result point into `table`.
Explanation explain_call(const table::Query& query, const table::Settings& settings, const table::Table& table);

}  // namespace mpigraft::analysis
