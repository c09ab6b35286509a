// SPDX-License-Identifier: MIT
// Node-aware algorithms on nodes of all shapes: results and figures as everywhere else, and what crosses the borders
// of nodes, which is what they are for.
#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "algorithms/model/check.hpp"
#include "test/algorithms/cases.hpp"
#include "test/algorithms/costs/cost.hpp"

using namespace mpigraft;
using namespace mpigraft::proof;

namespace {

/// True for an algorithm that wants several nodes, if these fit, or if there is only one, on which it also runs.
bool runs(const AlgorithmInfo& info, int p, const Shape& nodes) {
  return looks_at_nodes(info.placement) && (nodes.size() == 1 || unfit(info.placement, p, nodes).empty());
}

/// Proves runs on nodes of all shapes.
void prove_on_nodes(int p, std::int64_t m, std::int64_t element_bytes, std::int64_t segment) {
  for (const Shape& nodes : shapes(p))
    for_each_proved([&](const Listed& A) {
      if (!runs(*A.info, p, nodes)) return;
      for (const int root : roots(A.info->collective, p))
        for (const bool in_place : in_place_modes(A.info->collective, p, root))
          prove(A, p, m,
                {.root = root, .element_bytes = element_bytes, .segment = segment * element_bytes, .nodes = nodes},
                in_place);
    });
}

/// Elements that leave and that enter each node.
struct Crossing {
  std::vector<std::int64_t> out, in;
};

Crossing crossing(const model::Recording& recording) {
  const Nodes nodes(recording.p, recording.params);
  Crossing result{std::vector<std::int64_t>(static_cast<std::size_t>(nodes.count())), {}};
  result.in = result.out;
  for (int r = 0; r < recording.p; ++r)
    for (int e = 0; e < recording.event_count(r); ++e) {
      const model::Event& event = recording.event(r, e);
      if (event.step != model::Step::isend || nodes.of(r) == nodes.of(event.peer)) continue;
      result.out[static_cast<std::size_t>(nodes.of(r))] += event.from.count;
      result.in[static_cast<std::size_t>(nodes.of(event.peer))] += event.from.count;
    }
  return result;
}

/// Checks that the vector leaves any node at most `out` times, and enters it at most `in` times.
void crosses_at_most(std::string_view name, std::int64_t out, std::int64_t in) {
  const AlgorithmInfo& info = named(name);
  constexpr std::int64_t m = 6;
  for (int p = 1; p <= 80; ++p)
    for (const Shape& nodes : shapes(p)) {
      if (!runs(info, p, nodes)) continue;
      for (const int root : roots(info.collective, p)) {
        const model::Recording run = model::record(info, p, m, {.root = root, .segment = small, .nodes = nodes});
        const Crossing found = crossing(run);
        const bool more = std::ranges::max(found.out) > out * m || std::ranges::max(found.in) > in * m;
        expect(name, run, {more ? model::Fault::sent : model::Fault::none, "crosses borders of nodes more often"});
      }
    }
}

}  // namespace

TEST_CASE("ranks and nodes") {
  const Shape firsts{0, 3, 4, 9};
  const Nodes nodes(10, {.nodes = firsts});
  CHECK(nodes.count() == 4);
  CHECK((nodes.size(0) == 3 && nodes.size(1) == 1 && nodes.size(2) == 5 && nodes.size(3) == 1));
  CHECK((nodes.of(0) == 0 && nodes.of(2) == 0 && nodes.of(3) == 1 && nodes.of(4) == 2 && nodes.of(9) == 3));
  CHECK(Nodes(7, {}).size(0) == 7);
}

TEST_CASE("where the nodes are not as wanted") {
  CHECK(unfit(Placement::any, 4, {}).empty());
  CHECK(unfit(Placement::consecutive, 4, {}) == "the ranks of a node are not consecutive");
  CHECK(unfit(Placement::consecutive, 4, Shape{0}) == "one node");
  CHECK(unfit(Placement::consecutive, 4, Shape{0, 3}).empty());
  CHECK(unfit(Placement::equal, 4, Shape{0, 3}) == "the nodes differ in size");
  CHECK(unfit(Placement::equal, 4, Shape{0, 2}).empty());
  CHECK(unfit(Placement::one, 4, {}) == "several nodes");
  CHECK(unfit(Placement::one, 4, Shape{0, 3}) == "several nodes");
  CHECK(unfit(Placement::one, 16, Shape{0}).empty());
  CHECK(unfit(Placement::one, 17, Shape{0}) == "more than 16 ranks");
}

TEST_CASE("cache groups stand for nodes on a single one, to algorithms that look") {
  const Shape one{0}, two{0, 4}, cache_groups{0, 2, 6};
  const auto seen = [&](Placement wanted, const Shape& nodes, const Shape& of_one) {
    return groups_of(wanted, nodes, of_one).size();
  };
  CHECK(seen(Placement::consecutive, one, cache_groups) == 3);
  CHECK(seen(Placement::equal, one, cache_groups) == 3);
  CHECK(seen(Placement::one, one, cache_groups) == 1);
  CHECK(seen(Placement::any, one, cache_groups) == 1);
  CHECK(seen(Placement::consecutive, two, cache_groups) == 2);
  CHECK(seen(Placement::consecutive, one, {}) == 1);
  CHECK(seen(Placement::consecutive, one, one) == 1);
  CHECK(seen(Placement::consecutive, {}, cache_groups) == 0);
}

TEST_CASE("every flat form is an algorithm of its collective that runs anywhere") {
  for (const Listed& entry : listed) {
    CAPTURE(entry.name);
    if (entry.info->placement == Placement::any) {
      CHECK(entry.info->flat.empty());
      continue;
    }
    const int flat = flat_form(find_algorithm(entry.name));
    REQUIRE(flat >= 0);
    const AlgorithmInfo& info = *listed[static_cast<std::size_t>(flat)].info;
    CHECK((info.placement == Placement::any && info.collective == entry.info->collective));
    CHECK(info.commutative <= entry.info->commutative);
  }
}

TEST_CASE("all numbers of ranks on nodes of many shapes", "[nodes]") {
  for (int p = 1; p <= (full() ? 2048 : 300); ++p) prove_on_nodes(p, 1, small, 0);
}

TEST_CASE("vectors on nodes of many shapes, in one block and in pipelines", "[nodes]") {
  for (int p = 1; p <= (full() ? 256 : 100); ++p) {
    for (const std::int64_t bytes : {medium, large}) prove_on_nodes(p, 3, bytes, 0);
    for (const int segment : {1, 2, 7}) prove_on_nodes(p, 7, small, segment);
  }
  for (int p = 1; p <= 20; ++p)
    for (int b = 1; b <= 40; ++b) prove_on_nodes(p, b, small, 1);
}

TEST_CASE("the vector leaves and enters each node so often", "[nodes]") {
  crosses_at_most("scan/hierarchical", 1, 1);
  crosses_at_most("exscan/hierarchical", 1, 1);
  crosses_at_most("scan/lane", 1, 1);
  crosses_at_most("exscan/lane", 1, 1);
  crosses_at_most("scan/smp_tree_a", 3, 3);
  crosses_at_most("exscan/smp_tree_a", 3, 3);
  crosses_at_most("bcast/hierarchical", 1, 1);
  crosses_at_most("reduce/hierarchical", 1, 2);  // both chains end in the root's node
  crosses_at_most("bcast/lane", 4, 1);           // the root's node passes a lane's last block on again and again
  crosses_at_most("reduce/lane", 1, 2);
  crosses_at_most("allreduce/hierarchical", 4, 4);  // nine nodes exchange whole vectors
  crosses_at_most("allreduce/lane", 4, 4);
  crosses_at_most("scan/smp_tree_b", 4, 4);
  crosses_at_most("exscan/smp_tree_b", 4, 4);
}

TEST_CASE("pipelines on trees announce every receive before they combine what has come", "[nodes]") {
  for (const std::string_view name : {"scan/smp_tree_a", "exscan/smp_tree_a", "scan/smp_tree_b", "exscan/smp_tree_b"})
    for (int p = 1; p <= 40; ++p)
      for (const Shape& nodes : shapes(p))
        for (const int m : {3, 8, 20})
          prove({name, &named(name)}, p, m, {.segment = small, .nodes = nodes}, false, ahead);
}

TEST_CASE("every failure on nodes of many shapes", "[nodes]") {
  for (int p = 1; p <= all_failures / 2; ++p)
    for (const Shape& nodes : shapes(p))
      for_each_proved([&](const Listed& A) {
        if (!runs(*A.info, p, nodes)) return;
        for (const int root : roots(A.info->collective, p))
          prove(A, p, 2, {.root = root, .segment = small, .nodes = nodes}, false, poison);
      });
}
