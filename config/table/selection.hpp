// SPDX-License-Identifier: MIT
// THE selection: what runs for a call, and why. The library, `explain`, maps, `diff` and `doctor` all ask here.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "config/table/settings.hpp"
#include "config/table/table.hpp"

namespace mpigraft::table {

/// Why a call runs what it does, in the order of the questions; `arguments` comes from the library alone, before them.
enum class Why {
  arguments,
  one_rank,
  no_bytes,
  refused,
  long_parts,
  floating,
  order,
  forced,
  rule,
  whole,
  no_rule,
  commutative,
  learning,  // a candidate, by the library alone, as is
  learned    // the winner of a race in this job
};

/// Longer vectors stay native where each rank has a part: a message has fewer elements than an int counts, and while
/// other collectives take a longer vector in pieces, a piece would have other parts.
inline constexpr std::int64_t longest_in_parts = std::int64_t{1} << 30;
inline constexpr std::string_view long_parts_words = "parts of more than 1 GiB in all";

/// The settings that decide, for one collective.
struct Policy {
  bool refused = false;            // every call is native: MPIGRAFT_DISABLE, or a communicator that is no place for us
  bool float_native = false;       // MPIGRAFT_FLOAT
  bool fixed_order = false;        // MPIGRAFT_REPRODUCIBLE
  const Choice* forced = nullptr;  // MPIGRAFT_FORCE
};

/// Where the ranks of a call are; equal on all ranks.
struct Place {
  std::span<const int> nodes;         // the first rank of each; empty where the ranks of any are not consecutive
  std::span<const int> domains = {};  // of a single node, in the same way
  bool shares = true;                 // ranks of one node have memory in common
  std::int64_t element = 1;           // packed bytes of one; a stream is bytes
};

struct Selection {
  Choice choice = {};
  Why why = Why::no_rule;
  int rule = -1;                       // that decided: its index
  int flat_of = native;                // what was named, where its flat form runs
  std::string_view flat_because = {};  // of the place
};

/// The algorithm that runs under MPIGRAFT_REPRODUCIBLE=order: the first of the collective's that combines operands in
/// an order which only the number of ranks and the root decide, for every operator and anywhere; or native.
int algorithm_of_fixed_order(Collective collective);

Policy policy_of(const Settings& settings, Collective collective);

/// The algorithm that settings and rules name, or native where it cannot run. Allocates nothing, as `placed` does.
Selection named(const Policy& policy, std::span<const Rule> rules, const Query& query);

struct WaySelection {
  Way way;
  Why why = Why::no_rule;  // the model has chosen
  int line = 0;            // of the rule
};

/// The way that settings or rules name for a composition, or else the fastest one on the table's machine, whose latency
/// is between nodes: on one node, where a call takes less than what fusing adds, the two calls.
WaySelection way_for(Composition composition, const std::optional<Way>& forced, const Table& table, const Query& query);

/// The flat form, where the place is not as the algorithm wants it.
Selection placed(Selection named, const Query& query, const Place& place);

}  // namespace mpigraft::table
