// SPDX-License-Identifier: MIT
#include "config/table/table.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "algorithms/catalogue.hpp"

using namespace mpigraft;
using namespace mpigraft::table;

namespace {

constexpr Query query{.collective = Collective::scan, .ranks = 16, .bytes = 1024, .nodes = 3, .ranks_per_node = {4, 8}};

}  // namespace

TEST_CASE("the rule of an algorithm for commutative operators is not for others, and a note says so") {
  for (const Listed& entry : listed) {
    if (!info_of(entry.info->collective).combines()) continue;
    const std::string rule = R"("collective": ")" + std::string(name_of(entry.info->collective)) +
                             R"(", "algorithm": ")" + std::string(entry.name) + R"(", "operator": )";
    for (const std::string op : {"any", "user", "commutative", "noncommutative"}) {
      const ParsedTable parsed = parse_table(R"({"version": 1, "rules": [{)" + rule + '"' + op + "\"}]}");
      REQUIRE(parsed.findings.size() == (entry.info->commutative && op == "noncommutative" ? 1 : 0));
      CHECK(parsed.notes.size() == (entry.info->commutative && op == "any" ? 1 : 0));
      const Query ordered{
          .collective = entry.info->collective, .ranks = 4, .bytes = 8, .commutative = false, .user = op == "user"};
      CHECK((find_rule(parsed.table.rules, ordered) != nullptr) == (!entry.info->commutative && op != "commutative"));
    }
  }
}

TEST_CASE("embedded rules say where they come from, and graft on several nodes scans and what was measured there") {
  constexpr Range any;
  for (const Interface interface : {Interface::mpich, Interface::openmpi})
    for (const Rule& rule : parse_table(default_table_text(interface)).table.rules) {
      CHECK_FALSE(rule.note.empty());
      const bool scans = rule.collective == Collective::scan || rule.collective == Collective::exscan;
      if (scans || rule.choice.algorithm == native || rule.nodes.max <= 1) continue;
      CAPTURE(rule.line, rule.note);
      CHECK(interface == Interface::mpich);
      CHECK(rule.note.find("not measured") == std::string::npos);
      CHECK((rule.nodes.min > 1 && rule.nodes.max < any.max && rule.ranks.min > 1 && rule.ranks.max < any.max));
      CHECK((rule.bytes.min > 0 && rule.bytes.max < any.max));
    }
}

/// The default table, with one rule for each set of keys: further ones would only make it longer.
static std::string table_of_all_shapes() {
  auto document = nlohmann::ordered_json::parse(default_table_text());
  std::set<std::string> shapes;
  auto rules = nlohmann::ordered_json::array();
  for (const auto& rule : document["rules"]) {
    std::string keys;
    for (const auto& [key, value] : rule.items()) keys += key + ' ';
    if (shapes.insert(keys).second) rules.push_back(rule);
  }
  document["rules"] = rules;
  return document.dump(1);
}

TEST_CASE("no damage to a byte does more than cause findings inside the text") {
  const std::string sound = table_of_all_shapes();
  REQUIRE(parse_table(sound).findings.empty());
  const auto lines = std::count(sound.begin(), sound.end(), '\n') + 1;
  for (std::size_t i = 0; i < sound.size(); ++i)
    for (const char byte : std::string_view("\0\"\\,:{}[]-e9\x80\n", 15)) {
      std::string damaged = sound;
      damaged[i] = byte;
      for (const Finding& finding : parse_table(damaged).findings) {
        CAPTURE(i, byte, finding.message);
        REQUIRE(finding.line >= 1);
        REQUIRE(finding.line <= lines + 1);
        REQUIRE(finding.column >= 1);
        REQUIRE_FALSE(finding.message.empty());
      }
    }
}

TEST_CASE("ranks per node match where every node does") {
  Rule rule;
  const auto matches = [&](Range range) {
    rule.ranks_per_node = range;
    return mismatch(rule, query).empty();
  };
  CHECK(matches({4, 8}));
  CHECK(matches({1, 100}));
  CHECK_FALSE(matches({5, 8}));
  CHECK_FALSE(matches({4, 7}));
  CHECK_FALSE(matches({1, 1}));
  CHECK(mismatch(rule, query) == "ranks_per_node");
}
