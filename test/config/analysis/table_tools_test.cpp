// SPDX-License-Identifier: MIT
// The command's findings on tables, compared with what find_rule does for every call of small random tables.
#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <set>

#include "config/analysis/comparison.hpp"
#include "config/analysis/lint.hpp"
#include "config/analysis/region.hpp"
#include "config/table/table.hpp"

using namespace mpigraft;
using namespace mpigraft::table;

namespace {

constexpr int most = 9;  // of ranks, bytes, nodes, ranks per node in a bound
constexpr std::array operators{R"(, "operator": "user")", R"(, "operator": "commutative")",
                               R"(, "operator": "noncommutative")"};
constexpr std::array scans{R"("native")", R"("binomial")", R"("two_tree")", R"("linear_pipeline", "segment": 5)"};

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(engine_); }
  /// A range in the syntax of tables; often without an end.
  std::string range() {
    const int low = 1 + below(most), high = low + below(most - low + 1);
    if (below(3) == 0) return "{\"max\": " + std::to_string(high) + "}";
    if (below(3) == 0) return "{\"min\": " + std::to_string(low) + "}";
    return "{\"min\": " + std::to_string(low) + ", \"max\": " + std::to_string(high) + "}";
  }
  std::string table(bool on_nodes) {
    std::string rules;
    for (int i = 2 + below(6); i > 0; --i) {
      rules += std::string(rules.empty() ? "" : ", ") + R"({"collective": "scan", "algorithm": )" +
               scans[static_cast<std::size_t>(below(4))];
      for (const std::string key : {"ranks", "bytes", "nodes", "ranks_per_node"})
        if (below(3) > 0 && (on_nodes || key == "ranks" || key == "bytes")) rules += ", \"" + key + "\": " + range();
      if (below(4) == 0) rules += below(2) ? R"(, "oversubscribed": true)" : R"(, "oversubscribed": false)";
      if (below(3) == 0) rules += operators[static_cast<std::size_t>(below(3))];
      rules += "}";
    }
    return "{\"version\": 1, \"rules\": [" + rules + "]}";
  }

 private:
  std::mt19937 engine_;
};

/// Calls f for calls of up to most + 1 ranks and bytes, on all nodes that they may be on.
template <class F>
void for_each_call(F f) {
  for (int ranks = 2; ranks <= most + 1; ++ranks)
    for (int nodes = 1; nodes <= ranks; ++nodes)
      for (int least = 1; least * nodes <= ranks; ++least)
        for (int largest = least; largest <= ranks; ++largest) {
          const bool one = nodes == 1;
          const int fewest = one ? least : least * (nodes - 1) + largest,
                    mostly = one ? largest : least + largest * (nodes - 1);
          if (ranks < fewest || ranks > mostly || (one && least != largest)) continue;
          for (int bytes = 1; bytes <= most + 1; ++bytes)
            for (int kind = 0; kind < 3; ++kind)
              for (const bool oversubscribed : {false, true})
                f(Query{.collective = Collective::scan,
                        .ranks = ranks,
                        .bytes = bytes,
                        .nodes = nodes,
                        .ranks_per_node = {least, largest},
                        .oversubscribed = oversubscribed,
                        .commutative = kind<2, .user = kind> 0});
        }
}

/// The rules that decide some call.
std::set<const Rule*> deciding(const Table& table) {
  std::set<const Rule*> rules;
  for_each_call([&](const Query& query) { rules.insert(find_rule(table.rules, query)); });
  return rules;
}

/// The indices of rules that findings say decide nothing.
std::set<std::size_t> said_idle(const std::vector<Finding>& findings) {
  std::set<std::size_t> rules;
  for (const Finding& finding : findings)
    if (finding.message.starts_with("unreachable") || finding.message.ends_with("the rule never matches"))
      rules.insert(std::stoul(finding.pointer.substr(7)));
  return rules;
}

}  // namespace

TEST_CASE("rules that are said to be idle decide nothing, and without conditions on nodes all such are said") {
  Random random(1);
  std::size_t said = 0;
  for (int i = 0; i < 400; ++i) {
    const bool on_nodes = i % 2 == 0;
    const std::string text = random.table(on_nodes);
    CAPTURE(text);
    const ParsedTable checked = analysis::check_table(text);
    const Table table = parse_table(text).table;
    const auto used = deciding(table);
    const auto idle = said_idle(checked.findings);
    said += idle.size();
    for (std::size_t rule = 0; rule < table.rules.size(); ++rule) {
      const bool decides = used.contains(&table.rules[rule]);
      if (idle.contains(rule)) REQUIRE_FALSE(decides);
      if (!on_nodes && !idle.contains(rule)) REQUIRE(decides);
    }
  }
  CHECK(said > 100);
}

TEST_CASE("a region without rules is what no rule matches") {
  Random random(2);
  for (int i = 0; i < 200; ++i) {
    const Table table = parse_table(random.table(false)).table;
    std::vector<const Rule*> rules;
    for (const Rule& rule : table.rules) rules.push_back(&rule);
    const analysis::Remainder left = analysis::remainder({analysis::region_of(Rule{})}, rules);
    for_each_call([&](const Query& query) {
      const std::int64_t kind = query.commutative ? query.user : 2;
      const auto holding = std::ranges::count_if(left.regions, [&](const analysis::Region& region) {
        return region.ranks.contains(query.ranks) && region.bytes.contains(query.bytes) &&
               region.nodes.contains(query.nodes) && region.operators.contains(kind) &&
               region.oversubscribed.contains(query.oversubscribed);
      });
      REQUIRE(holding == (find_rule(table.rules, query) ? 0 : 1));
    });
  }
}

TEST_CASE("what is said to differ differs, and all that does is said once") {
  Random random(3);
  for (int i = 0; i < 200; ++i) {
    const Table before = parse_table(random.table(true)).table, after = parse_table(random.table(true)).table;
    const analysis::Placing placing{.ranks_per_node = 1 + i % 4,
                                    .oversubscribed = i % 7 < 3,
                                    .commutative = i % 3 != 0,
                                    .user = i % 5 == 0 || i % 3 == 0};
    const auto found = analysis::differences(before, after, Collective::scan, placing);
    for (int ranks = 2; ranks <= 4 * most + 2; ++ranks)
      for (int bytes = 1; bytes <= most + 1; ++bytes) {
        const auto query_of = ranks < placing.ranks_per_node ? analysis::query_of : analysis::on_full_nodes;
        const Query query = query_of(Collective::scan, placing, ranks, bytes);
        const auto choice = [&](const Table& table) {
          const Rule* rule = find_rule(table.rules, query);
          return rule ? rule->choice : Choice{};
        };
        const auto here = [&](const analysis::Difference& d) {
          return d.ranks.contains(ranks) && d.bytes.contains(bytes);
        };
        CAPTURE(i, ranks, bytes);
        REQUIRE(std::ranges::count_if(found, here) == (choice(before) == choice(after) ? 0 : 1));
        const auto at = std::ranges::find_if(found, here);
        if (at == found.end()) continue;
        REQUIRE(at->before == choice(before));
        REQUIRE(at->after == choice(after));
      }
  }
}

TEST_CASE("the canonical form is the same table, and its own") {
  Random random(4);
  for (int i = 0; i < 200; ++i) {
    const std::string text = random.table(true);
    const ParsedTable before = parse_table(text);
    const std::string once = canonical(before.table);
    CAPTURE(text, once);
    const ParsedTable after = parse_table(once);
    REQUIRE(after.findings.empty());
    REQUIRE(canonical(after.table) == once);
    REQUIRE(before.table.rules.size() == after.table.rules.size());
    for (std::size_t r = 0; r < before.table.rules.size(); ++r) {
      REQUIRE(describe(before.table.rules[r]) == describe(after.table.rules[r]));
      REQUIRE(after.table.rules[r].line == static_cast<int>(r) + 4);
    }
  }
}
