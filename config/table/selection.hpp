// SPDX-License-Identifier: MIT
// THE selection: what runs for a call, and why. The library, `explain`, maps, `diff` and `doctor` all ask here.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "config/table/settings.hpp"
#include "config/table/table.hpp"

namespace mpigraft::table {

/// The reason for a selection, in the order of the questions. `arguments` comes only from the library, before them.
enum class Reason {
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
  learning,  // a candidate of a trial; only in the library, as is
  learned    // the winner of a trial in this job
};

/// Longest vector, in bytes, that is grafted if each rank has a part. A message has fewer elements than an int counts.
/// Other collectives take a longer vector in pieces, but a piece would have other parts.
inline constexpr std::int64_t longest_in_parts = std::int64_t{1} << 30;

/// The settings that decide for one collective.
struct Policy {
  bool refused = false;  // every call is native: MPIGRAFT_DISABLE, the site, or a communicator that cannot be grafted
  bool float_native = false;       // MPIGRAFT_REPRODUCIBLE=native
  bool fixed_order = false;        // MPIGRAFT_REPRODUCIBLE=order
  std::span<const Forced> forced;  // MPIGRAFT_FORCE
};

/// The placement of a call's ranks; equal on all ranks.
struct Place {
  std::span<const int> nodes;              // the first rank of each; empty where the ranks of any are not consecutive
  std::span<const int> cache_groups = {};  // the same of the cache groups of a single node
  bool shares = true;                      // ranks of one node have memory in common
  std::int64_t element = 1;                // packed bytes of an element; a stream has bytes
};

struct Selection {
  Choice choice = {};
  Reason reason = Reason::no_rule;
  int rule = -1;                       // index of the rule that decided
  int unfit = native;                  // the algorithm that MPIGRAFT_FORCE names and the operator forbids
  int flat_of = native;                // the algorithm that was named, if its flat form runs
  std::string_view flat_because = {};  // why the flat form runs
};

/// The reason as a report tells it; empty for a refusal.
std::string_view words_of(const Selection& selection);

/// The algorithm that runs under MPIGRAFT_REPRODUCIBLE=order: the first of the collective's that combines operands in
/// an order which only the number of ranks and the root decide, for every operator and anywhere; or native.
int algorithm_of_fixed_order(Collective collective);

Policy policy_of(const Settings& settings, Collective collective);

/// The algorithm that settings and rules name, or native if it cannot run. Neither this function nor `placed`
/// allocates.
Selection named(const Policy& policy, std::span<const Rule> rules, const Query& query);

/// The lengths in bytes around that of `query` for which `named` selects the same. REQUIRES: a length above 0.
Range alike(const Policy& policy, std::span<const Rule> rules, const Query& query);

struct VariantSelection {
  Variant variant;
  Reason reason = Reason::no_rule;  // the model has chosen
  int line = 0;                     // of the rule
};

/// The variant that settings or rules name for a composition, otherwise the fastest one by the model of the table's
/// machine. On one node that is the two calls: the machine's latency is one between nodes, and inside a node a call
/// takes less than fusing adds.
VariantSelection variant_for(Composition composition, const std::optional<Variant>& forced, const Table& table,
                             const Query& query);

/// The selection, with the flat form of an algorithm that `place` does not fit.
Selection placed(Selection named, const Query& query, const Place& place);

}  // namespace mpigraft::table
