// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/prefix/doubly_pipelined_binary_tree.hpp"

namespace mpigraft::exscan {

/// The sums of pipelined_binary_tree, with blocks up and down under way at once, in
/// prefix/doubly_pipelined_binary_tree.hpp. The three edges of a rank take turns
/// (patterns/tree_slots.hpp): in a slot one of them passes
///   a total up     L (+) x (+) R of a later block, or
///   a prefix down  P to the left, P (+) L (+) x to the right, of an earlier block, or
///   both at once.
/// So a block follows the one before it after three rounds; prefix/tree_sums.hpp joins them to W = P (+) L.
struct doubly_pipelined_binary_tree : prefix::OnTreeDoubly<doubly_pipelined_binary_tree, true> {
  static constexpr AlgorithmInfo info{
      .collective = Collective::exscan,
      .paper = "Sanders, Traeff 2006, section 3, exclusive form",
      .summary = "in-order binary tree of height n, blocks up and down at once, two-way with one neighbour at a time",
      .rounds = "3(b-1)+4n-2",
      .pipelined = true,
      .cuts = Cuts::blocks,
      .associates_like = "pipelined_binary_tree",
      .text = text,
      .theorem = theorem,
  };
};

}  // namespace mpigraft::exscan
