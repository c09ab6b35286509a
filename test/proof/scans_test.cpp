// SPDX-License-Identifier: MIT
// Pipelined scans in any number of blocks, and the tree that most of them run on.
#include <catch2/catch.hpp>
#include <utility>

#include "algorithms/model/check.hpp"
#include "algorithms/patterns/in_order_tree.hpp"
#include "test/proof/cases.hpp"

using namespace mpigraft;
using namespace mpigraft::proof;

namespace {

/// All scans and exscans, with m elements in blocks of at most `segment`.
void prove(int p, std::int64_t m, std::int64_t segment) {
  static model::Recording recording;
  for_each_algorithm([&](auto entry) {
    using A = typename decltype(entry)::algorithm;
    if (has_root(A::info.collective)) return;
    for (const bool in_place : in_place_modes(A::info.collective)) {
      recording = model::record<A>(p, m, {.segment = small * segment}, in_place, std::move(recording));
      const model::Verdict verdict = model::check(recording, A::info);
      if (!verdict)
        FAIL(entry.name << " on p = " << p << " ranks, m = " << m << " elements, segment " << segment << ": "
                        << verdict.text);
    }
  });
}

}  // namespace

TEST_CASE("scans of few ranks in 1 to 40 blocks, equal or not", "[blocks]") {
  for (int p = 1; p <= (full() ? 72 : 36); ++p)
    for (int b = 1; b <= 40; ++b) {
      prove(p, b, 1);
      prove(p, 2 * b + 1, 2);
    }
}

TEST_CASE("scans of many ranks in few and in many blocks", "[blocks]") {
  for (int p = 1; p <= (full() ? 1024 : 300); ++p)
    for (const int b : {2, 3, 7}) prove(p, b, 1);
  for (int p = 301; p <= 1100; p += full() ? 7 : 97)
    for (const int b : {2, 3, 40}) prove(p, b, 1);
}

TEST_CASE("in-order trees of up to 4096 ranks", "[blocks]") {
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
      right &= v.sends_up() == (r + in_order_tree::lowest_bit(r + 1) < p);
    }
    if (!right || edges != p - 1 || height != in_order_tree::height(p)) FAIL("wrong tree on " << p << " ranks");
  }
}
