// SPDX-License-Identifier: MIT
#include "config/learning/candidates.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "algorithms/catalogue.hpp"

namespace mpigraft::learning {

TEST_CASE("candidates for many ranks of one node run in its cache groups") {
  const std::vector<int> one_node{0}, cache_groups{0, 32, 64, 96};
  const table::Query query{.collective = Collective::allreduce, .ranks = 128, .bytes = 8, .ranks_per_node = {128, 128}};
  const auto has = [&](const table::Place& place, std::string_view name) {
    const Candidates found = candidates_for(query, place, {}, {});
    return std::ranges::any_of(found.all(), [&](const table::Choice& choice) { return name_of(choice) == name; });
  };
  CHECK(has({.nodes = one_node, .cache_groups = cache_groups, .element = 8}, "allreduce/hierarchical"));
  CHECK_FALSE(has({.nodes = one_node, .element = 8}, "allreduce/hierarchical"));
}

TEST_CASE("candidates for what has no operator are the same for all, and there is room for so many") {
  table::Query query{.collective = Collective::bcast, .ranks = 5, .bytes = 1 << 20, .ranks_per_node = {5, 5}};
  const Candidates plain = candidates_for(query, {}, {}, {});
  query.commutative = false, query.user = true;
  Candidates found = candidates_for(query, {}, {}, {});
  CHECK(found.choices == plain.choices);
  for (int i = 0; i < static_cast<int>(listed.size()); ++i) found.add({.algorithm = i});
  CHECK(found.count == most_candidates);
}

}  // namespace mpigraft::learning
