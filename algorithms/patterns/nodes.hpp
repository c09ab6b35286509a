// SPDX-License-Identifier: MIT
// Which ranks share a node. Node i has the consecutive ranks first(i)..last(i). Its head, in broadcasts and reductions,
// is the root if that is there, or else the first rank.
// A node may have cache groups: ranks that share a cache, or memory that is near to them all.
#pragma once

#include <algorithm>
#include <span>

#include "algorithms/program.hpp"

namespace mpigraft {

class Nodes {
 public:
  Nodes(int p, const Params& params) : p_(p), first_(params.nodes), root_(params.root), root_node_(of(params.root)) {}

  int count() const { return std::max(1, static_cast<int>(first_.size())); }
  int first(int i) const { return i == 0 ? 0 : first_[static_cast<std::size_t>(i)]; }
  int last(int i) const { return (i + 1 < count() ? first(i + 1) : p_) - 1; }
  int size(int i) const { return last(i) - first(i) + 1; }
  /// The node of rank r.
  int of(int r) const {
    return count() == 1 ? 0 : static_cast<int>(std::ranges::upper_bound(first_, r) - first_.begin()) - 1;
  }
  /// The ranks of this rank's node.
  Group own(const Group& all) const {
    const int node = of(all.rank()), begin = first(node);
    return all.among(size(node), all.rank() - begin, [begin](int j) { return begin + j; });
  }
  /// The j-th ranks of all nodes, if this rank is the j-th one of its node.
  Group lane(const Group& all) const {
    const int node = of(all.rank()), j = all.rank() - first(node);
    return all.among(count(), node, [this, j](int i) { return first(i) + j; });
  }
  int root_node() const { return root_node_; }
  int head(int i) const { return i == root_node_ ? root_ : first(i); }
  /// The heads of all nodes, if this rank is one.
  Group heads(const Group& all) const {
    return all.among(count(), of(all.rank()), [this](int i) { return head(i); });
  }
  int largest() const {
    int size_of_largest = 0;
    for (int i = 0; i < count(); ++i) size_of_largest = std::max(size_of_largest, size(i));
    return size_of_largest;
  }

 private:
  const int p_;
  const std::span<const int> first_;
  const int root_, root_node_;
};

/// Number of blocks in a pipelined chain of N heads, or 0 for a binomial tree of whole messages. A segment that cuts
/// the message selects the chain; otherwise the cheaper of both in the linear model is selected.
inline std::int64_t blocks_between_heads(int N, std::int64_t m, const Params& params, bool combines) {
  if (N == 1) return 0;
  const std::int64_t b = block_count(m, params, {N - 1.0, 1}, combines);
  if (params.segment > 0 && b > 1) return b;
  const Machine& machine = params.machine;
  const double whole =
      static_cast<double>(m * params.element_bytes) * (machine.per_byte + (combines ? machine.combine_per_byte : 0));
  const double chain = static_cast<double>(N - 2 + b) * (machine.latency + whole / static_cast<double>(b));
  return chain < ceil_log2(N) * (machine.latency + whole) ? b : 0;
}

/// Most ranks that share memory.
inline constexpr int max_sharing_ranks = 128;

/// Most ranks that read one page: a cache line that was written goes to its readers one after the other.
inline constexpr int max_readers = 16;

/// The nodes that an algorithm sees: if there is one node and it has several cache groups, these cache groups.
inline std::span<const int> groups_of(Placement wanted, std::span<const int> nodes, std::span<const int> cache_groups) {
  return looks_at_nodes(wanted) && nodes.size() == 1 && cache_groups.size() > 1 ? cache_groups : nodes;
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
