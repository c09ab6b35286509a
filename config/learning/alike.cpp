// SPDX-License-Identifier: MIT
#include "config/learning/alike.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include "algorithms/catalogue.hpp"

namespace mpigraft::learning {
namespace {

/// Algorithms of the same group have the same association for all numbers of ranks, lengths and blocks, on one node.
/// The test `alike_test` finds the groups in recorded runs.
struct Group {
  Collective collective;
  std::array<std::string_view, 3> names;

  bool has(const AlgorithmInfo& info, std::string_view name) const {
    return info.collective == collective && std::ranges::find(names, name) != names.end();
  }
};
constexpr std::array groups{
    Group{Collective::scan, {"binary_tree", "pipelined_binary_tree", "doubly_pipelined_binary_tree"}},
    Group{Collective::scan, {"linear_pipeline", "transpose"}},
    Group{Collective::exscan, {"linear_pipeline", "transpose"}},
    Group{Collective::exscan, {"doubling_1", "scan_then_shift"}},
    Group{Collective::exscan, {"pipelined_binary_tree", "doubly_pipelined_binary_tree"}},
    Group{Collective::reduce, {"linear_pipeline", "shared_flat", "shared_slices"}},
    Group{Collective::allreduce, {"recursive_doubling", "reduce_scatter_allgather", "adaptive"}},
    Group{Collective::allreduce, {"shared_flat", "shared_slices"}},
};

/// The number of the group; that of no group if there is none.
std::ptrdiff_t group_of(const table::Choice& choice) {
  if (choice.algorithm == table::native) return std::ssize(groups);
  const Listed& entry = listed[static_cast<std::size_t>(choice.algorithm)];
  const std::string_view name = entry.name.substr(entry.name.find('/') + 1);
  const auto has = [&](const Group& group) { return group.has(*entry.info, name); };
  return std::ranges::find_if(groups, has) - groups.begin();
}

}  // namespace

bool associate_alike(const table::Choice& a, const table::Choice& b, std::int64_t ranks) {
  if (ranks <= 2 || a == b) return true;
  return group_of(a) < std::ssize(groups) && group_of(a) == group_of(b);
}

}  // namespace mpigraft::learning
