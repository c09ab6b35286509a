// SPDX-License-Identifier: MIT
// Divisions of ranks into nodes.
#pragma once

#include <string>
#include <vector>

#include "test/algorithms/cases.hpp"

namespace mpigraft::proof {

using Shape = std::vector<int>;  // first ranks

/// Nodes of c ranks, the last one maybe smaller.
inline Shape of_size(int p, int c) {
  Shape nodes;
  for (int first = 0; first < p; first += c) nodes.push_back(first);
  return nodes;
}

/// Nodes of 1 to `most` ranks.
inline Shape irregular(int p, int most, Random& random) {
  Shape nodes;
  for (int first = 0; first < p; first += 1 + random.below(most)) nodes.push_back(first);
  return nodes;
}

/// One node, nodes of one rank, equal ones, a smaller last one, and random ones.
inline std::vector<Shape> shapes(int p) {
  Random random(static_cast<unsigned>(p));
  std::vector<Shape> all{of_size(p, p), of_size(p, 1), of_size(p, 1 + random.below(p))};
  for (const int c : {2, 3, 4, 5, 8})
    if (p % c == 0) all.push_back(of_size(p, c));
  for (const int most : {3, 8, 1 + random.below(p)}) all.push_back(irregular(p, most, random));
  return all;
}

inline std::string words(const Shape& nodes) {
  std::string text = "nodes from ranks";
  for (const int first : nodes) text += ' ' + std::to_string(first);
  return text;
}

}  // namespace mpigraft::proof
