// SPDX-License-Identifier: MIT
#include "algorithms/patterns/in_order_tree.hpp"

#include <catch2/catch.hpp>

using namespace mpigraft;

namespace {

/// True if a rank's way from the root is its parent's and the edge between them.
bool follows(const in_order_tree::Place& v, int r, int p) {
  if (v.parent == none) return v.lefts == 0 && v.rights == 0 && v.first_lefts == 0;
  const in_order_tree::Place above = in_order_tree::place(v.parent, p);
  const bool left = r < v.parent;
  return v.lefts == above.lefts + left && v.rights == above.rights + !left &&
         v.first_lefts == above.first_lefts + (left && above.rights == 0);
}

}  // namespace

TEST_CASE("in-order trees of up to 4096 ranks") {
  for (int p = 1; p <= 4096; ++p) {
    bool right = in_order_tree::parent(in_order_tree::root(p), p) == none;
    int height = 0, edges = 0;
    for (int r = 0; r < p; ++r) {
      const in_order_tree::Place v = in_order_tree::place(r, p);
      height = std::max(height, v.lefts + v.rights);
      edges += (v.left != none) + (v.right != none);
      right &= v.left == none || (v.left < r && in_order_tree::parent(v.left, p) == r);
      right &= v.right == none || (v.right > r && in_order_tree::parent(v.right, p) == r);
      right &= (v.sends_up() && v.left != none) <= (v.right != none) && (v.left != none) >= (v.right != none);
      right &= follows(v, r, p);
      right &= v.sends_up() == (r + in_order_tree::lowest_bit(r + 1) < p);
    }
    if (!right || edges != p - 1 || height != in_order_tree::height(p)) FAIL("wrong tree on " << p << " ranks");
  }
}
