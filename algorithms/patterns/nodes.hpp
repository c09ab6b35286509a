// SPDX-License-Identifier: MIT
// Which ranks share a node. Node i has the consecutive ranks first(i)..last(i).
// A node may have cache groups: ranks that share a cache, or memory that is near to them all.
#pragma once

#include <algorithm>
#include <span>

#include "algorithms/info.hpp"

namespace mpigraft {

class Nodes {
 public:
  Nodes(int p, const Params& params) : p_(p), first_(params.nodes) {}

  int count() const { return std::max(1, static_cast<int>(first_.size())); }
  int first(int i) const { return i == 0 ? 0 : first_[static_cast<std::size_t>(i)]; }
  int last(int i) const { return (i + 1 < count() ? first(i + 1) : p_) - 1; }
  int size(int i) const { return last(i) - first(i) + 1; }
  /// The node of rank r.
  int of(int r) const {
    return count() == 1 ? 0 : static_cast<int>(std::ranges::upper_bound(first_, r) - first_.begin()) - 1;
  }
  int largest() const {
    int size_of_largest = 0;
    for (int i = 0; i < count(); ++i) size_of_largest = std::max(size_of_largest, size(i));
    return size_of_largest;
  }

 private:
  const int p_;
  const std::span<const int> first_;
};

/// Most ranks that share memory.
inline constexpr int max_sharing_ranks = 128;

/// Most ranks that read one page: a cache line that was written goes to its readers one after the other.
inline constexpr int max_readers = 16;

/// The nodes that an algorithm sees: if there is one node and it has several cache groups, these cache groups.
inline std::span<const int> groups_of(Placement wanted, std::span<const int> nodes, std::span<const int> cache_groups) {
  const bool looks = wanted == Placement::consecutive || wanted == Placement::equal;
  return looks && nodes.size() == 1 && cache_groups.size() > 1 ? cache_groups : nodes;
}

/// The reason why the placement of p ranks on these nodes, or cache groups, does not fit; empty if it does.
inline std::string_view unfit(Placement wanted, int p, std::span<const int> nodes) {
  if (wanted == Placement::any) return {};
  if (wanted == Placement::one && nodes.size() == 1) return p <= max_readers ? "" : "more than 16 ranks";
  if (wanted == Placement::one) return "several nodes";
  if (nodes.empty()) return "the ranks of a node are not consecutive";
  if (nodes.size() == 1) return "one node";
  const Nodes all(p, {.nodes = nodes});
  const bool equal = all.largest() * all.count() == p;
  return wanted == Placement::equal && !equal ? "the nodes differ in size" : std::string_view{};
}

}  // namespace mpigraft
