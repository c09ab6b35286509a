// SPDX-License-Identifier: MIT
// The two all-to-alls of a scan in which rank r scans piece r of all vectors for everybody.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "algorithms/patterns/blocks.hpp"
#include "algorithms/program.hpp"

namespace mpigraft::prefix {

/// Piece r of x_0, x_1, ..., of which only the first `givers` are needed.
inline List<Value> own_pieces(Program& program, Group& net, const Blocks& pieces, int givers) {
  const int p = net.size(), r = net.rank();
  const auto piece = [&](int owner) { return program.input(pieces.first(owner), pieces.count(owner)); };
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
inline void scan_pieces(Group& net, List<Value>& x) {
  for (std::size_t s = 1; s < x.size(); ++s) x[s] = net.combine(x[s - 1], x[s]);
}

/// Back: rank s gets this piece of its result from everybody, if it `takes` any; `results` has those of all ranks.
inline void give_back(Program& program, Group& net, const Blocks& pieces, const List<Value>& results, bool takes) {
  const int p = net.size(), r = net.rank();
  for (int k = 1; k < p; ++k) {
    const int owner = (r + k) % p, to = (r - k + p) % p;
    net.send(results[static_cast<std::size_t>(to)], to);
    if (takes) program.result(net.recv(owner, pieces.count(owner)), pieces.first(owner));
  }
  program.result(results[static_cast<std::size_t>(r)], pieces.first(r));
}

}  // namespace mpigraft::prefix
