// SPDX-License-Identifier: MIT
// One table of cases for the selection; `explain` must say what it chooses.
#include <catch2/catch.hpp>
#include <string_view>
#include <tuple>
#include <vector>

#include "algorithms/catalogue.hpp"
#include "algorithms/transport.hpp"
#include "config/analysis/comparison.hpp"
#include "config/analysis/explanation.hpp"
#include "config/table/selection.hpp"

using namespace mpigraft;
using namespace mpigraft::table;

namespace {

constexpr std::string_view rules = R"({"version": 1, "rules": [
  {"collective": "scan", "algorithm": "two_tree", "bytes": {"min": "1K", "max": "2K"}},
  {"collective": "scan", "algorithm": "hierarchical", "bytes": {"min": "64K"}},
  {"collective": "scan", "algorithm": "shared_flat", "bytes": {"min": "4K", "max": "8K"}},
  {"collective": "scan", "algorithm": "native", "bytes": {"max": 8}},
  {"collective": "reduce", "algorithm": "circulant", "operator": "commutative"},
  {"collective": "bcast", "algorithm": "binomial"}]})";

enum Operator { sum, own, own_in_order };
enum Type { integer, floating };
enum Nodes { one, two_of_four, five_and_three, apart, one_of_cache_groups };

bool is_one(Nodes nodes) { return nodes == one || nodes == one_of_cache_groups; }

std::vector<int> first_ranks(Nodes nodes) {
  return is_one(nodes)          ? std::vector{0}
         : nodes == two_of_four ? std::vector{0, 4}
         : nodes == apart       ? std::vector<int>{}
                                : std::vector{0, 5};
}

constexpr auto exscan = Collective::exscan, bcast = Collective::bcast, reduce = Collective::reduce,
               allgather = Collective::allgather;

struct Case {
  const char* what;
  const char* force = "";  // an entry of MPIGRAFT_FORCE
  bool disable = false, float_native = false, fixed_order = false, shared = true;
  Collective collective = Collective::scan;
  std::int64_t ranks = 8, bytes = 1500, element = 8;
  Operator op = sum;
  Type type = integer;
  Nodes nodes = one;
  // expected
  Reason reason = Reason::rule;
  std::string_view runs = "flat", flat_of = "native", because = "";
};

// clang-format off
const Case cases[] = {
    {.what = "one rank comes first", .force = "scan=binomial", .disable = true, .float_native = true, .ranks = 1,
     .bytes = 0, .type = floating, .reason = Reason::one_rank, .runs = "native"},
    {.what = "no data before settings", .force = "scan=binomial", .disable = true, .float_native = true, .bytes = 0,
     .type = floating, .reason = Reason::no_bytes, .runs = "native"},
    {.what = "disabled before types", .force = "scan=binomial", .disable = true, .float_native = true,
     .type = floating, .reason = Reason::refused, .runs = "native"},
    {.what = "types before force", .force = "scan=binomial", .float_native = true, .type = floating,
     .reason = Reason::floating, .runs = "native"},
    {.what = "other types go on", .force = "scan=binomial", .float_native = true, .reason = Reason::forced,
     .runs = "scan/binomial"},
    {.what = "types before an order", .float_native = true, .fixed_order = true, .type = floating, .reason = Reason::floating,
     .runs = "native"},
    {.what = "an order before force", .force = "scan=butterfly", .fixed_order = true, .reason = Reason::order,
     .runs = "scan/binomial"},
    {.what = "an order for integers and for any length", .fixed_order = true, .bytes = 1 << 25, .nodes = two_of_four,
     .reason = Reason::order, .runs = "scan/binomial"},
    {.what = "a broadcast has no order", .force = "bcast=circulant", .fixed_order = true, .collective = bcast,
     .reason = Reason::forced, .runs = "bcast/circulant"},
    {.what = "a broadcast combines no floats", .float_native = true, .collective = bcast, .type = floating,
     .runs = "bcast/binomial"},
    {.what = "floats without the setting", .type = floating, .runs = "scan/two_tree"},
    {.what = "force before rules", .force = "scan=binomial", .reason = Reason::forced, .runs = "scan/binomial"},
    {.what = "force of these sizes", .force = "scan=binomial:1K-1500", .reason = Reason::forced,
     .runs = "scan/binomial"},
    {.what = "force of other sizes", .force = "scan=binomial:1501-", .runs = "scan/two_tree"},
    {.what = "forced native", .force = "scan=native", .reason = Reason::forced, .runs = "native"},
    {.what = "force of another collective", .force = "exscan=native", .runs = "scan/two_tree"},
    {.what = "forced for any operator", .force = "reduce=circulant", .collective = reduce, .op = own_in_order,
     .reason = Reason::commutative, .runs = "native"},
    {.what = "forced, commutative", .force = "reduce=circulant", .collective = reduce, .op = own, .reason = Reason::forced,
     .runs = "reduce/circulant"},
    {.what = "a rule for the operator", .collective = reduce, .runs = "reduce/circulant"},
    {.what = "and not for others", .collective = reduce, .op = own_in_order, .reason = Reason::no_rule, .runs = "native"},
    {.what = "parts of a long vector", .force = "allgather=ring", .collective = allgather, .bytes = longest_in_parts,
     .reason = Reason::forced, .runs = "allgather/ring"},
    {.what = "and of a longer one", .force = "allgather=ring", .collective = allgather, .bytes = longest_in_parts + 1,
     .reason = Reason::long_parts, .runs = "native"},
    {.what = "a stream has no parts", .collective = bcast, .bytes = longest_in_parts + 1, .runs = "bcast/binomial"},
    {.what = "no rule", .collective = exscan, .reason = Reason::no_rule, .runs = "native"},
    {.what = "a rule for native", .bytes = 8, .runs = "native"},
    {.what = "the rule would cut", .op = own, .reason = Reason::whole, .runs = "native"},
    {.what = "force cuts", .force = "scan=two_tree", .op = own, .reason = Reason::forced, .runs = "scan/two_tree"},
    {.what = "equal nodes", .bytes = 65536, .nodes = two_of_four, .runs = "scan/hierarchical"},
    {.what = "nodes of different size", .bytes = 65536, .nodes = five_and_three, .runs = "scan/hierarchical"},
    {.what = "that should be equal", .force = "scan=lane", .nodes = five_and_three, .reason = Reason::forced,
     .flat_of = "scan/lane", .because = "the nodes differ in size"},
    {.what = "one node", .bytes = 65536, .flat_of = "scan/hierarchical", .because = "one node"},
    {.what = "one node of cache groups", .bytes = 65536, .nodes = one_of_cache_groups, .runs = "scan/hierarchical"},
    {.what = "whose ranks share memory", .bytes = 4096, .nodes = one_of_cache_groups, .runs = "scan/shared_flat"},
    {.what = "ranks of nodes apart", .bytes = 65536, .nodes = apart, .flat_of = "scan/hierarchical",
     .because = "the ranks of a node are not consecutive"},
    {.what = "shared memory", .bytes = 4096, .runs = "scan/shared_flat"},
    {.what = "of several nodes", .bytes = 4096, .nodes = two_of_four, .flat_of = "scan/shared_flat",
     .because = "several nodes"},
    {.what = "nodes before memory", .shared = false, .bytes = 4096, .nodes = two_of_four,
     .flat_of = "scan/shared_flat", .because = "several nodes"},
    {.what = "memory not shared", .shared = false, .bytes = 4096, .flat_of = "scan/shared_flat",
     .because = "the ranks share no memory"},
    {.what = "as many as can share", .ranks = 16, .bytes = 4096, .runs = "scan/shared_flat"},
    {.what = "too many share", .ranks = 17, .bytes = 4096, .flat_of = "scan/shared_flat",
     .because = "more than 16 ranks"},
    {.what = "an element as long as a page", .force = "scan=shared_flat", .bytes = page_bytes, .element = page_bytes,
     .reason = Reason::forced, .runs = "scan/shared_flat"},
    {.what = "a longer one", .force = "scan=shared_flat", .bytes = page_bytes + 1, .element = page_bytes + 1,
     .reason = Reason::forced, .flat_of = "scan/shared_flat", .because = "an element is longer than a page"},
    {.what = "a stream has no elements", .force = "bcast=shared_flat", .collective = bcast, .bytes = page_bytes + 1,
     .element = page_bytes + 1, .reason = Reason::forced, .runs = "bcast/shared_flat"},
};
// clang-format on

Settings settings_of(const Case& c) {
  static const char* force;
  force = c.force;
  Settings settings =
      read_settings([](const char* name) { return std::string_view(name) == "MPIGRAFT_FORCE" ? force : nullptr; });
  REQUIRE(settings.errors.empty());
  settings.disable = c.disable;
  settings.float_native = c.float_native;
  settings.fixed_order = c.fixed_order;
  settings.shared = c.shared;
  if (c.nodes == one_of_cache_groups) settings.cache_groups = {.each = 4};
  return settings;
}

Query query_of(const Case& c) {
  return {.collective = c.collective,
          .ranks = c.ranks,
          .bytes = c.bytes,
          .nodes = is_one(c.nodes) ? 1 : 2,
          .ranks_per_node = is_one(c.nodes)          ? Range{c.ranks, c.ranks}
                            : c.nodes == two_of_four ? Range{4, 4}
                                                     : Range{3, 5},
          .commutative = c.op != own_in_order,
          .user = c.op != sum,
          .floating = c.type == floating};
}

const Table& sample() {
  static const ParsedTable parsed = parse_table(rules);
  REQUIRE(parsed.findings.empty());
  return parsed.table;
}

}  // namespace

TEST_CASE("the selection, by a table of cases") {
  for (const Case& c : cases) {
    CAPTURE(c.what);
    const Settings settings = settings_of(c);
    const Query query = query_of(c);
    const Selection named_one = named(policy_of(settings, c.collective), sample().rules, query);
    const std::vector<int> nodes = first_ranks(c.nodes);
    const std::vector<int> cache_groups = c.nodes == one_of_cache_groups ? std::vector{0, 4} : std::vector<int>{};
    const Selection found = placed(
        named_one, query, {.nodes = nodes, .cache_groups = cache_groups, .shares = c.shared, .element = c.element});
    CHECK(found.reason == c.reason);
    CHECK(found.reason == named_one.reason);
    CHECK(name_of(Choice{found.flat_of}) == c.flat_of);
    CHECK(found.flat_because == c.because);
    if (c.runs == "flat")
      CHECK(found.choice.algorithm == flat_form(find_algorithm(c.flat_of)));
    else
      CHECK(name_of(found.choice) == c.runs);
    CHECK((found.rule >= 0) == (c.reason == Reason::rule));
    if (found.rule >= 0)
      CHECK(&sample().rules[static_cast<std::size_t>(found.rule)] == find_rule(sample().rules, query));
  }
}

TEST_CASE("around a call, all lengths up to the next border are selected alike") {
  for (const Case& c : cases) {
    CAPTURE(c.what);
    const Settings settings = settings_of(c);
    const Policy policy = policy_of(settings, c.collective);
    const auto selected = [&](std::int64_t bytes) {
      Query query = query_of(c);
      query.bytes = bytes;
      const Selection found = named(policy, sample().rules, query);
      return std::tuple(found.choice, found.reason, found.rule);
    };
    for (Query query = query_of(c); query.bytes < 4 * longest_in_parts; query.bytes = query.bytes * 3 / 2 + 1) {
      if (query.bytes == 0) continue;
      const Range range = alike(policy, sample().rules, query);
      CAPTURE(query.bytes, range.min, range.max);
      REQUIRE((range.min > 0 && range.contains(query.bytes)));
      for (const std::int64_t bytes : {range.min, (range.min + query.bytes) / 2, range.max})
        REQUIRE(selected(bytes) == selected(query.bytes));
    }
  }
  const auto range_of = [](std::int64_t bytes) {
    return alike({}, sample().rules, query_of({.what = "", .bytes = bytes}));
  };
  CHECK(range_of(9) == Range{9, 1023});
  CHECK(range_of(1500) == Range{1024, 2048});
  CHECK(range_of(20'000) == Range{8193, 65'535});
  CHECK(range_of(100'000) == Range{65'536, longest_in_parts});
}

TEST_CASE("an explanation is of the selection") {
  for (const Case& c : cases) {
    if (c.nodes == apart || c.nodes == five_and_three || c.element > 8) continue;  // a command does not tell of such
    CAPTURE(c.what);
    const Settings settings = settings_of(c);
    const Query query = query_of(c);
    const analysis::Explanation told = analysis::explain_call(query, settings, sample());
    CHECK(told.choice == analysis::selection_of(query, settings, sample()).choice);
    CHECK((told.rule != nullptr) == (c.reason == Reason::rule));
    if (c.runs != "flat") CHECK(name_of(told.choice) == c.runs);
    if (c.runs == "flat") CHECK(told.further.ends_with(flat_words(find_algorithm(c.flat_of), c.because)));
    CHECK(analysis::rounds_of(query, told.choice, settings, {}).has_value() == (told.choice.algorithm != native));
  }
}

TEST_CASE("what combines has an algorithm of fixed order") {
  for (const Collective collective : all_collectives) {
    if (!info_of(collective).combines()) continue;
    const int algorithm = algorithm_of_fixed_order(collective);
    CAPTURE(name_of(collective));
    REQUIRE(algorithm != native);
    const AlgorithmInfo& info = info_of(algorithm);
    CHECK((info.collective == collective && !info.commutative && info.placement == Placement::any));
    CHECK_FALSE((info.varies_with_length || info.varies_with_blocks || info.varies_with_nodes()));
  }
}

TEST_CASE("the last node of a call has the ranks that are left") {
  const auto each = [](std::int64_t ranks, std::int64_t ranks_per_node) {
    const Query query = analysis::query_of(Collective::scan, {.ranks_per_node = ranks_per_node}, ranks, 8);
    return std::pair(query.nodes, query.ranks_per_node);
  };
  CHECK(each(8, 4) == std::pair(std::int64_t{2}, Range{4, 4}));
  CHECK(each(10, 4) == std::pair(std::int64_t{3}, Range{2, 4}));
  CHECK(each(4, 36) == std::pair(std::int64_t{1}, Range{4, 4}));
  CHECK(each(9, 1) == std::pair(std::int64_t{9}, Range{1, 1}));
}
