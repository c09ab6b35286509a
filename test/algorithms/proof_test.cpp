// SPDX-License-Identifier: MIT
// Every algorithm of the catalogue, run by the model: right results, the rules of transport.hpp, no deadlock, and
// exactly the figures that it states.
#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "test/algorithms/cases.hpp"
#include "test/algorithms/costs/cost.hpp"

using namespace mpigraft;
using namespace mpigraft::proof;

namespace {

class Prover {
 public:
  /// Proves all algorithms, roots and modes.
  void prove(int p, std::int64_t m, std::int64_t element_bytes, std::int64_t segment = 0) {
    for_each_proved([&](const Listed& A) {
      if (!is_for(*A.info, p)) return;
      if (A.info->placement == Placement::one && m > 1 && p > 12) return;  // blocks_test.cpp
      for (const int root : roots(A.info->collective, p))
        for (const bool in_place : in_place_modes(A.info->collective, p, root))
          for (const Params& params :
               variants(*A.info, p, {.root = root, .element_bytes = element_bytes, .segment = segment}))
            proof::prove(A, p, m, params, in_place), ++runs_;
    });
  }
  long runs() const { return runs_; }

 private:
  long runs_ = 0;
};

void prove_range(int first, int last) {
  Prover prover;
  for (int p = first; p <= last; ++p) prover.prove(p, 1, small);
  CHECK((prover.runs() > 0 || !only().empty()));
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
  Prover prover;
  for (int p = 1; p <= all_sizes; ++p)
    for (const std::int64_t bytes : {medium, large}) prover.prove(p, 1, bytes);
  CHECK((prover.runs() > 0 || !only().empty()));
}

TEST_CASE("several elements, in one block and in pipelines", "[sizes]") {
  Prover prover;
  for (int p = 1; p <= all_sizes; ++p) {
    for (const std::int64_t segment : {0, 1, 2, 3}) prover.prove(p, 3, small, segment * small);
    prover.prove(p, 8, small, small);
  }
  CHECK((prover.runs() > 0 || !only().empty()));
}

TEST_CASE("sampled numbers of ranks to 65536", "[sampled]") {
  Prover prover;
  for (const int p : sampled_ranks()) prover.prove(p, 1, small);
  CHECK((prover.runs() > 0 || !only().empty()));
}
