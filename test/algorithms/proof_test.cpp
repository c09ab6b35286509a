// SPDX-License-Identifier: MIT
// Every algorithm of the catalogue, run by the model: right results, the rules of transport.hpp, no deadlock, exactly
// the figures that it states, no failure that goes unnoticed, and in pipelines messages that overlap with combining.
#include <catch2/catch.hpp>
#include <cmath>
#include <set>
#include <utility>

#include "test/algorithms/cases.hpp"
#include "test/algorithms/costs/cost.hpp"

using namespace mpigraft;
using namespace mpigraft::proof;

namespace {

/// Proves all algorithms, roots and modes.
void prove_all(int p, std::int64_t m, std::int64_t element_bytes, std::int64_t segment = 0) {
  for_each_proved([&](const Listed& A) {
    if (!is_for(*A.info, p)) return;
    if (A.info->placement == Placement::one && m > 1 && p > 12) return;  // blocks_test.cpp
    for (const int root : roots(A.info->collective, p))
      for (const bool in_place : in_place_modes(A.info->collective, p, root))
        for (const Params& params :
             variants(*A.info, p, {.root = root, .element_bytes = element_bytes, .segment = segment}))
          prove(A, p, m, params, in_place);
  });
}

void prove_range(int first, int last) {
  for (int p = first; p <= last; ++p) prove_all(p, 1, small);
}

/// Splits 1..all_ranks into two of equal work, which grows with p^2.
int half() { return static_cast<int>(all_ranks / std::sqrt(2.0)); }

/// Powers of two and their neighbours, 3 * 2^k + 1 where 123-doubling gains a round, and what chance brings.
std::set<int> sampled_ranks() {
  std::set<int> sample;
  for (int k = 12; k <= 16; k += full() ? 1 : 4) {
    sample.insert({(1 << k) - 1, 1 << k});
    if (k < 16) sample.insert({(1 << k) + 1, 3 * (1 << (k - 1)) + 1});
  }
  Random random(1);
  for (int i = 0; i < (full() ? 32 : 1); ++i) sample.insert(all_ranks + random.below(65536 - all_ranks));
  return sample;
}

}  // namespace

TEST_CASE("all numbers of ranks, first half", "[low]") { prove_range(1, half()); }

TEST_CASE("all numbers of ranks, second half", "[high]") { prove_range(half() + 1, all_ranks); }

TEST_CASE("large elements", "[sizes]") {
  for (int p = 1; p <= all_sizes; ++p)
    for (const std::int64_t bytes : {medium, large}) prove_all(p, 1, bytes);
}

TEST_CASE("several elements, in one block and in pipelines", "[sizes]") {
  for (int p = 1; p <= all_sizes; ++p) {
    for (const std::int64_t segment : {0, 1, 2, 3}) prove_all(p, 3, small, segment * small);
    prove_all(p, 8, small, small);
  }
}

TEST_CASE("sampled numbers of ranks to 65536", "[sampled]") {
  for (const int p : sampled_ranks()) prove_all(p, 1, small);
}

// Whichever rank fails, and whenever: every rank whose result depends on it learns of it, and nobody waits for ever.
// Two elements, so that a pipeline has two blocks.

TEST_CASE("every failure of few ranks", "[poison]") {
  for_each_proved([&](const Listed& A) {
    for (int p = 1; p <= all_failures; ++p)
      for (const int root : roots(A.info->collective, p))
        for (const bool in_place : in_place_modes(A.info->collective))
          prove(A, p, 2, {.root = root, .segment = small}, in_place, poison);
  });
}

TEST_CASE("sampled failures of many ranks", "[poison]") {
  Random random(2);
  model::Recording recording;
  for_each_proved([&](const Listed& A) {
    for (int sample = 0; is_for(*A.info, all_failures + 1) && sample < (full() ? 5000 : 300); ++sample) {
      const int p = all_failures + 1 + random.below(1000), r = random.below(p);
      const int root = info_of(A.info->collective).rooted() ? random.below(p) : 0;
      recording = model::record(*A.info, p, 2, {.root = root, .segment = small}, false, std::move(recording));
      if (recording.event_count(r) == 0) continue;
      expect(A.name, recording, model::check_poison(recording, r, random.below(recording.event_count(r))));
    }
  });
}

TEST_CASE("pipelines announce every receive before they combine what has come") {
  long combining = 0;
  for_each_proved([&](const Listed& A) {
    if (!A.info->pipelined || A.info->placement != Placement::any) return;  // of nodes: nodes_test.cpp
    for (int p = 1; p <= 40; ++p)
      for (const int root : roots(A.info->collective, p))
        for (const std::int64_t m : {3, 8, 40})
          for (const std::int64_t length : {1, 2, 9}) {
            if (m - m / 2 <= length) continue;  // one block per half
            const Params params{.root = root, .segment = small * length};
            combining += prove(A, p, m, params, false, ahead).most.combined > 0;
          }
  });
  CHECK(combining > 0);
}
