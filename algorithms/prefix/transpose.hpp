// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/patterns/blocks.hpp"
#include "algorithms/prefix/linear_pipeline.hpp"
#include "algorithms/prefix/pieces.hpp"
#include "algorithms/program.hpp"

namespace mpigraft::prefix {

/// Rank r scans piece r, a p-th of the vector, for everybody:
///   1. all to all: rank r receives piece r of x_0, ..., x_(p-1), in an exclusive scan not of the last one,
///   2. turns it into S_0 = x_0, S_s = S_(s-1) (+) x_s,
///   3. all to all back: rank r sends piece r of S_s to rank s, or in an exclusive scan of S_(s-1).
/// With fewer elements than ranks, linear_pipeline runs with one block.
///
/// Example: p = 8, m = 4. 0-1>2 is x_0 (+) x_1, sent to rank 2.
///
///   round  rank 0  rank 1  rank 2  rank 3  rank 4  rank 5  rank 6  rank 7
///       1  0>1
///       2          0-1>2
///       3                  0-2>3
///       4                          0-3>4
///       5                                  0-4>5
///       6                                          0-5>6
///       7                                                  0-6>7
template <bool exclusive>
struct transpose {
  static void text(Program& net) {
    const int p = net.size();
    if (net.length() < p) return along_chain(net, exclusive, 1);
    const Blocks pieces{net.length(), p};
    List<Value> S = own_pieces(net, net, pieces, p - exclusive);
    scan_pieces(net, S);
    if (exclusive) {
      S.insert(S.begin(), nothing);
      S.pop_back();
    }
    give_back(net, net, pieces, S, net.rank() >= exclusive);
  }

  static constexpr AlgorithmInfo info{
      .collective = exclusive ? Collective::exscan : Collective::scan,
      .paper =
          exclusive ? "Gorlatch, Lengauer 1997, section 5.3, exclusive form" : "Gorlatch, Lengauer 1997, section 5.3",
      .summary = "all-to-all, every rank scans a p-th of all vectors, all-to-all back: no application is redundant",
      .rounds = "2(p-1), p-1 for m < p",
      .cuts = Cuts::always,
      .associates_like = "linear_pipeline",
      .text = text,
  };
};

}  // namespace mpigraft::prefix
