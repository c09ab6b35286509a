// SPDX-License-Identifier: MIT
// Every pipelined algorithm in any number of blocks, and the others with fewer and with more elements than ranks.
#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "algorithms/patterns/blocks.hpp"
#include "test/algorithms/cases.hpp"
#include "test/algorithms/costs/cost.hpp"

using namespace mpigraft;
using namespace mpigraft::proof;

namespace {

constexpr std::int64_t element = small;
const int few_ranks = full() ? 72 : 24;

/// Proves all pipelined algorithms, or all others, with m elements in blocks of at most `segment` bytes.
void prove_blocks(bool pipelined, int p, std::int64_t m, std::int64_t segment) {
  for_each_proved([&](const Listed& A) {
    if (A.info->pipelined != pipelined) return;
    if (A.info->placement == Placement::one && p > 12) return;  // below
    for (const int root : roots_among(A.info->collective, {0, std::min(1, p - 1), p / 2, p - 1}))
      for (const bool in_place : in_place_modes(A.info->collective, p, root))
        prove(A, p, m, {.root = root, .element_bytes = element, .segment = segment}, in_place);
  });
}

/// Proves algorithms whose ranks share memory, for these roots if they have one, with pages of few elements.
void prove_pages(int p, const std::set<int>& roots, std::int64_t m, std::int64_t element_bytes,
                 std::int64_t segment = 0) {
  for_each_proved([&](const Listed& A) {
    if (A.info->placement != Placement::one) return;
    for (const int root : roots_among(A.info->collective, roots))
      for (const bool in_place : in_place_modes(A.info->collective, p, root))
        prove(A, p, m, {.root = root, .element_bytes = element_bytes, .segment = segment}, in_place);
  });
}

/// Proves the scan along two trees where combining takes all the time. The more blocks there are, the more levels then
/// sum the left subtree first.
void prove_slow_combining(int p, std::int64_t b) {
  prove(listed[static_cast<std::size_t>(find_algorithm("scan/two_tree"))], p, 2 * b,
        {.element_bytes = element, .segment = element, .machine = {.combine_per_byte = 1}});
}

/// Numbers of blocks where schedules change their ways: circulant ones repeat every q blocks.
std::set<int> special_blocks(int p) {
  const int q = ceil_log2(p);
  std::set<int> blocks{2, 3, q - 1, q, q + 1, 2 * q + 1};
  blocks.erase(blocks.begin(), blocks.upper_bound(0));
  return blocks;
}

}  // namespace

TEST_CASE("pipelines of few ranks in any number of blocks, equal or not", "[blocks]") {
  for (int p = 1; p <= few_ranks; ++p)
    for (int b = 1; b <= (full() ? 40 : 24); ++b) {
      prove_blocks(true, p, b, element);
      prove_blocks(true, p, 2 * b + 1, 2 * element);  // the last block is shorter
      prove_blocks(true, p, 3 * b, 2 * element + 3);  // segments of two elements and a piece
      if (b < 4) prove_blocks(true, p, b, element / 2);
    }
}

TEST_CASE("pipelines of many ranks in few and in many blocks", "[blocks]") {
  for (int p = few_ranks + 1; p <= (full() ? 1024 : 200); ++p)
    for (const int b : special_blocks(p)) prove_blocks(true, p, b, element);
  for (int p = 201; p <= 1100; p += full() ? 13 : 127)
    for (const int b : {2, ceil_log2(p), 40}) prove_blocks(true, p, 2 * b - 1, 2 * element);
}

TEST_CASE("whole messages of fewer and of more elements than ranks", "[blocks]") {
  for (int p = 1; p <= (full() ? 256 : 65); ++p)
    for (const int m : {p / 2, p - 1, p, p + 1, 2 * p + 1, 41})
      if (m > 0) prove_blocks(false, p, m, 0);
}

TEST_CASE("ranks that share memory, with every root", "[blocks]") {
  for (int p = 1; p <= max_readers; ++p) {
    std::set<int> all;
    for (int root = 0; root < p; ++root) all.insert(root);
    prove_pages(p, all, p + 1, small);
    prove_pages(p, {0, p - 1}, 3, small, small);
    prove_pages(p, {0, p - 1}, 2 * p + 1, small, small * p);
  }
}

TEST_CASE("ranks that share memory, in few and in many blocks", "[blocks]") {
  for (int p = 1; p <= max_readers; ++p)
    for (const int b : {2, 7, 40}) {
      prove_pages(p, {0, p - 1}, b, small, small);
      prove_pages(p, {p / 2}, b * p - p / 2, small, small * p);
    }
}

TEST_CASE("vectors and elements longer than a page", "[blocks]") {
  for (int p = 1; p <= max_readers; ++p) {
    const std::set<int> few{0, p / 2, p - 1}, last{p - 1};
    for (const int m : {p - 1, p, 2 * p + 1})
      for (const int in_page : {p - 1, p, p + 1})
        if (m > 0 && in_page > 0) prove_pages(p, in_page == p ? few : last, m, page_bytes / in_page);
    prove_pages(p, few, 200, page_bytes / (2 * p));
    for (const std::int64_t bytes : {page_bytes, page_bytes + 1}) prove_pages(p, last, 3, bytes);
    prove_pages(p, last, 3 * p + 2, 24, 24 * p + 5);
    prove_pages(p, last, 3, page_bytes / 2, page_bytes / 3);  // a segment shorter than an element
  }
}

TEST_CASE("two trees that sum the left first near the root", "[blocks]") {
  for (int p = 1; p <= 300; ++p)
    for (const int b : {2, 3, 5, 9, 40}) prove_slow_combining(p, b);
  for (const int p : {1023, 1024, 1152, 2047}) prove_slow_combining(p, 9);
}

TEST_CASE("blocks of the formula are no longer than the largest, those of a segment are as asked") {
  const auto count = [](std::int64_t elements, const Pipeline& pipeline, std::int64_t segment, std::int64_t largest) {
    return block_count(elements, {.segment = segment, .largest_block = largest}, pipeline, true);
  };
  constexpr Pipeline two_ranks{1, 1}, chain_of_10{9, 1};  // of two ranks, one block is best without a limit
  CHECK(count(1 << 20, two_ranks, 0, 0) == 1);
  CHECK(count(1 << 20, two_ranks, 0, 64 << 10) == 128);
  CHECK(count((1 << 20) + 1, two_ranks, 0, 64 << 10) == 129);
  CHECK(count(100, two_ranks, 0, 64 << 10) == 1);
  CHECK(count(1 << 20, two_ranks, 1 << 20, 64 << 10) == 8);
  CHECK(count(1 << 20, chain_of_10, 0, 8 << 20) == count(1 << 20, chain_of_10, 0, 0));  // shorter anyway
}
