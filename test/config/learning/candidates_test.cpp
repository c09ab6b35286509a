// SPDX-License-Identifier: MIT
#include "config/learning/candidates.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "algorithms/catalogue.hpp"

namespace mpigraft::learning {
namespace {

table::Query scan_of(std::int64_t bytes) {
  return {.collective = Collective::scan, .ranks = 8, .bytes = bytes, .nodes = 2, .ranks_per_node = {4, 4}};
}

std::set<std::string_view> names_of(const Candidates& found) {
  std::set<std::string_view> names;
  for (const table::Choice& choice : found.all()) names.insert(name_of(choice));
  return names;
}

}  // namespace

TEST_CASE("candidates are what runs, native, and what costs least") {
  const table::Choice binomial{.algorithm = find_algorithm("scan/binomial")};
  const Candidates found = candidates_for(scan_of(8192), {}, binomial, {});
  CHECK(found.choices[0] == binomial);
  CHECK(found.choices[1].algorithm == table::native);
  CHECK(names_of(found).size() == most_candidates);
  CHECK(names_of(candidates_for(scan_of(8), {}, binomial, {})) != names_of(found));
}

TEST_CASE("of algorithms that send the same messages one is a candidate") {
  const table::Query query{.collective = Collective::scan, .ranks = 2, .bytes = 8, .ranks_per_node = {2, 2}};
  const std::vector<int> one_node{0};
  const auto names = names_of(candidates_for(query, {.nodes = one_node, .element = 8}, {}, {}));
  CHECK(names.contains("scan/shared_flat"));
  CHECK(names.contains("scan/binomial") + names.contains("scan/hillis_steele") +
            names.contains("scan/linear_pipeline") + names.contains("scan/butterfly") ==
        1);
}

TEST_CASE("candidates fit the operator and the place") {
  table::Query query{.collective = Collective::allreduce, .ranks = 5, .bytes = 1 << 20, .ranks_per_node = {5, 5}};
  for (const bool commutative : {false, true})
    for (const bool user : {false, true})
      for (const bool shares : {false, true}) {
        query.commutative = commutative, query.user = user;
        const Candidates found = candidates_for(query, {.nodes = {}, .shares = shares, .element = 8}, {}, {});
        CHECK(found.choices[0].algorithm == table::native);
        for (const table::Choice& choice : found.all().subspan(1)) {
          const AlgorithmInfo& info = info_of(choice.algorithm);
          CAPTURE(name_of(choice), commutative, user, shares);
          CHECK(info.collective == Collective::allreduce);
          CHECK((commutative || !info.commutative));
          CHECK((!user || table::whole_up_to(choice) >= 1 << 20));
          CHECK((shares || info.placement != Placement::one));
          CHECK(info.placement != Placement::equal);
        }
      }
}

TEST_CASE("candidates for very many ranks, vectors and elements are found as for fewer") {
  std::vector<int> nodes;
  for (int first = 0; first < 2048; first += 64) nodes.push_back(first);
  const auto names = [&](std::int64_t bytes, std::int64_t element) {
    const table::Query query{
        .collective = Collective::allreduce, .ranks = 2048, .bytes = bytes, .nodes = 32, .ranks_per_node = {64, 64}};
    return names_of(candidates_for(query, {.nodes = nodes, .element = element}, {}, {}));
  };
  CHECK(names(8, 8).contains("allreduce/hierarchical"));
  CHECK(names(std::int64_t{1} << 30, 8).contains("allreduce/ring"));
  CHECK(names(std::int64_t{1} << 30, std::int64_t{1} << 20).size() == most_candidates);
  nodes = {0, 40};
  CHECK(names(8, 8).contains("allreduce/hierarchical"));
}

TEST_CASE("where the bits of sums must stay, candidates associate as what runs does") {
  const table::Choice flat{.algorithm = find_algorithm("allreduce/shared_flat")}, native;
  const std::vector<int> one_node{0};
  const auto names = [&](std::int64_t ranks, const table::Choice& before, Order order) {
    const table::Query query{
        .collective = Collective::allreduce, .ranks = ranks, .bytes = 64, .ranks_per_node = {ranks, ranks}};
    return names_of(candidates_for(query, {.nodes = one_node, .element = 8}, before, {}, order));
  };
  CHECK(names(4, flat, Order::any).contains("native"));
  CHECK(names(4, flat, Order::kept) == std::set<std::string_view>{"allreduce/shared_flat", "allreduce/shared_slices"});
  CHECK(names(4, flat, Order::fixed) == std::set<std::string_view>{"allreduce/shared_flat"});
  CHECK(names(4, native, Order::kept) == std::set<std::string_view>{"native"});
  CHECK(names(2, native, Order::kept) == names(2, native, Order::any));
  CHECK(names(2, native, Order::fixed) == std::set<std::string_view>{"native"});
}

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
