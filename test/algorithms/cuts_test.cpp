// SPDX-License-Identifier: MIT
// The algorithms' statements on cutting vectors. Every proof (model::check) shows that they leave whole what they say;
// the tests here, that they leave whole no more than that.
#include <catch2/catch.hpp>
#include <limits>

#include "algorithms/info.hpp"
#include "algorithms/model/recording.hpp"
#include "test/algorithms/cases.hpp"
#include "test/algorithms/costs/cost.hpp"

using namespace mpigraft;
using namespace mpigraft::proof;

namespace {

constexpr std::int64_t one_block = std::numeric_limits<std::int64_t>::max();  // as of a rule with "segment": "none"
constexpr std::int64_t in_page = page_bytes / small;                          // elements

/// True if the algorithm ever cuts m elements, on nodes of two ranks.
bool cuts(const Listed& A, std::int64_t m, std::int64_t segment) {
  for (int p = 4; p <= 12; p += 2) {
    const Shape nodes = of_size(p, 2);
    for (const int root : roots(A.info->collective, p))
      if (prove(A, p, m, {.root = root, .element_bytes = small, .segment = segment, .nodes = nodes}).shortest < m)
        return true;
  }
  return false;
}

}  // namespace

TEST_CASE("an algorithm that says it cuts does") {
  for_each_proved([&](const Listed& A) {
    CAPTURE(A.name);
    if (!info_of(A.info->collective).combines()) {
      CHECK(A.info->cuts == Cuts::never);  // no operator
      return;
    }
    CHECK(cuts(A, in_page, small) == (A.info->cuts != Cuts::never));
    CHECK(cuts(A, in_page + 1, one_block) == (A.info->cuts == Cuts::pages || A.info->cuts == Cuts::always));
    CHECK(cuts(A, in_page, one_block) == (A.info->cuts == Cuts::always));
  });
}

TEST_CASE("a flat form leaves whole what the algorithm leaves whole") {
  for (int i = 0; i < static_cast<int>(listed.size()); ++i) {
    const int flat = flat_form(i);
    if (flat < 0) continue;
    CAPTURE(listed[static_cast<std::size_t>(i)].name);
    for (const std::int64_t segment : {std::int64_t{0}, page_bytes / 2, 2 * page_bytes, one_block})
      CHECK(whole_up_to(info_of(flat), segment) >= whole_up_to(info_of(i), segment));
  }
}
