// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/prefix/linear_pipeline.hpp"

namespace mpigraft::prefix {

// The two all-to-alls of a scan in which rank r scans piece r of all vectors for everybody.

/// Piece r of x_0, x_1, ..., of which only the first `givers` are needed.
inline List<Value> own_pieces(Program& program, const Group& net, const Blocks& pieces, int givers) {
  const int p = net.size(), r = net.rank();
  const auto piece = [&](int owner) { return program.input(pieces, owner); };
  List<Value> x(static_cast<std::size_t>(p), nothing);
  if (r < givers) x[static_cast<std::size_t>(r)] = piece(r);
  for (int k = 1; k < p; ++k) {
    const int owner = (r + k) % p, from = (r - k + p) % p;
    if (r < givers) net.send(piece(owner), owner);
    if (from < givers) x[static_cast<std::size_t>(from)] = net.recv(from, pieces.count(r));
  }
  return x;
}

/// x_0, x_1, ... becomes x_0, x_0 (+) x_1, ...
inline void scan_pieces(const Group& net, List<Value>& x) {
  for (std::size_t s = 1; s < x.size(); ++s) x[s] = net.combine(x[s - 1], x[s]);
}

/// Back: rank s gets this piece of its result from everybody, if it `takes` any; `results` has those of all ranks.
inline void give_back(Program& program, const Group& net, const Blocks& pieces, const List<Value>& results,
                      bool takes) {
  const int p = net.size(), r = net.rank();
  for (int k = 1; k < p; ++k) {
    const int owner = (r + k) % p, to = (r - k + p) % p;
    net.send(results[static_cast<std::size_t>(to)], to);
    if (takes) program.result(net.recv(owner, pieces.count(owner)), pieces.first(owner));
  }
  program.result(results[static_cast<std::size_t>(r)], pieces.first(r));
}

/// Rank r scans piece r, a p-th of the vector, for everybody:
///   1. all to all: rank r receives piece r of x_0, ..., x_(p-1), in an exclusive scan not of the last one,
///   2. turns it into S_0 = x_0, S_s = S_(s-1) (+) x_s,
///   3. all to all back: rank r sends piece r of S_s to rank s, or in an exclusive scan of S_(s-1).
/// With fewer elements than ranks, linear_pipeline runs with one block.
///
/// Example: p = 3, m = 3. 0-1[0]>1 is element 0 of x_0 (+) x_1, sent to rank 1.
///
///   round  rank 0    rank 1    rank 2
///       1  0[1]>1    1[2]>2    2[0]>0
///       2  0[2]>2    1[0]>0    2[1]>1
///       3  0-2[0]>2  0[1]>0    0-1[2]>1
///       4  0-1[0]>1  0-2[1]>2  0[2]>0
///
/// Example, exclusive: p = 3, m = 3.
///
///   round  rank 0    rank 1    rank 2
///       1  0[1]>1    1[2]>2
///       2  0[2]>2    1[0]>0
///       3  0-1[0]>2            0[2]>1
///       4  0[0]>1    0-1[1]>2
template <bool exclusive>
void transpose(Program& net) {
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

template <bool exclusive>
inline constexpr AlgorithmInfo transpose_info{
    .paper =
        exclusive ? "Gorlatch, Lengauer 1997, section 5.3, exclusive form" : "Gorlatch, Lengauer 1997, section 5.3",
    .summary = "all-to-all, every rank scans a p-th of all vectors, all-to-all back: no application is redundant",
    .rounds = "2(p-1), p-1 for m < p",
    .cuts = Cuts::always,
    .associates_like = "linear_pipeline",
};

}  // namespace mpigraft::prefix
