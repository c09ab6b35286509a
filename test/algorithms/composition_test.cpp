// SPDX-License-Identifier: MIT
// The composition rules, on every algorithm that runs for any operator: it makes of pairs what a scan and the same
// collective of the scan's result make. All that is known of the symbolic operators is that they are associative and
// one distributes.
#include <algorithm>
#include <catch2/catch.hpp>

#include "algorithms/composition.hpp"
#include "algorithms/model/check.hpp"
#include "test/algorithms/cases.hpp"
#include "test/algorithms/costs/cost.hpp"

using namespace mpigraft;
using namespace mpigraft::proof;
using model::Fault;

namespace {

/// The collectives that run on pairs for some composition.
bool takes_pairs(Collective collective) {
  return collective == Collective::reduce_scatter ||
         std::ranges::any_of(compositions, [=](const CompositionInfo& row) { return row.second == collective; });
}

/// Proves runs on these numbers of ranks, and returns how many.
long prove_pairs(int first, int last) {
  long runs = 0;
  for (int p = first; p <= last; ++p)
    for_each_proved([&](const Listed& A) {
      if (!takes_pairs(A.info->collective) || A.info->commutative || !is_for(*A.info, p)) return;
      const std::int64_t m = info_of(A.info->collective).has_parts() && p <= all_sizes ? p + 1 : 1;
      for (const int root : roots_among(A.info->collective, {0, p - 1})) {
        const Params params{.root = root, .element_bytes = 2 * small, .segment = 2 * small};
        prove(A, p, m, params, false, pairs);
        ++runs;
      }
    });
  return runs;
}

}  // namespace

TEST_CASE("pairs on all numbers of ranks", "[pairs]") {
  CHECK((prove_pairs(1, all_ranks) > all_ranks || !only().empty()));
}

TEST_CASE("pairs do not commute") {
  int found = 0;
  for (const Listed& A : listed) {
    if (!takes_pairs(A.info->collective) || !A.info->commutative) continue;
    ++found;
    CHECK(model::check_pairs(model::record(*A.info, 5, 5, {}, false, {})).fault == Fault::operands);
  }
  CHECK(found > 0);
}

TEST_CASE("what the papers' thresholds say") {
  const Machine machine{
      .latency = 1000, .per_byte = 10, .combine_per_byte = 1};  // section 6.2: t_s, t_w, one operation
  CHECK(fastest_variant(Composition::scan_reduce, 1024, 1e9, machine) == Variant::fused);
  CHECK(fastest_variant(Composition::scan_scan, 1024, 499, machine) == Variant::fused);  // m < 500
  CHECK(fastest_variant(Composition::scan_scan, 1024, 501, machine) == Variant::apart);
  CHECK(fastest_variant(Composition::scan_allreduce, 1024, 10, machine) == Variant::fused);
  CHECK(fastest_variant(Composition::scan_allreduce, 1024, 1000, machine) == Variant::decomposed);
}
