// SPDX-License-Identifier: MIT
// Binomial tree over aligned blocks: level k groups the ranks [i 2^k, (i+1) 2^k), and the head of a block
// speaks for it. Heads are the lowest rank, or the root where it lies in the block, so any root is reached in ceil(log2
// p) rounds. A reduction only ever joins neighbouring blocks, which keeps rank order without the detour over rank 0
// that the literature takes for non-commutative operators.
#pragma once

#include "algorithms/info.hpp"
#include "algorithms/transport.hpp"

namespace mpigraft::binomial_tree {

/// The head of rank r's block at level k.
constexpr int head(int r, int k, int root) { return r >> k == root >> k ? root : r >> k << k; }

/// The head of the other half of r's block at level k+1, or `none` where no rank lives there.
constexpr int sibling(int r, int k, int p, int root) {
  const int lowest = (r >> k ^ 1) << k;
  return lowest < p ? head(lowest, k, root) : none;
}

/// Rank r's partner at level k: the head of the other half if r is the head of its own, or else `none`.
constexpr int partner(int r, int k, int p, int root) { return head(r, k, root) == r ? sibling(r, k, p, root) : none; }

}  // namespace mpigraft::binomial_tree
