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

TEST_CASE("operator classes") {
  const auto matches = [](OperatorClass op, bool commutative, bool user, Collective collective = Collective::reduce) {
    Rule rule;
    rule.collective = collective;
    rule.op = op;
    return mismatch(rule, {.collective = collective, .commutative = commutative, .user = user}).empty();
  };
  CHECK(matches(OperatorClass::any, false, true));
  CHECK(matches(OperatorClass::any, true, false));
  CHECK(matches(OperatorClass::commutative, true, true));
  CHECK(matches(OperatorClass::commutative, true, false));
  CHECK_FALSE(matches(OperatorClass::commutative, false, true));
  CHECK(matches(OperatorClass::noncommutative, false, true));
  CHECK_FALSE(matches(OperatorClass::noncommutative, true, true));
  CHECK(matches(OperatorClass::user, false, true));
  CHECK_FALSE(matches(OperatorClass::user, true, false));
  CHECK(matches(OperatorClass::user, true, false, Collective::bcast));
}

TEST_CASE("a user operator gets parts of a vector only from rules for such operators") {
  constexpr std::int64_t many = 1 << 20;
  const auto key = [](std::string_view name, std::int64_t segment, std::int64_t bytes,
                      OperatorClass op = OperatorClass::any, bool commutative = false) {
    Rule rule;
    rule.op = op;
    rule.choice = {.algorithm = find_algorithm(name), .segment = segment};
    Query q = query;
    q.bytes = bytes;
    q.commutative = commutative;
    CHECK(mismatch(rule, q) == (op == OperatorClass::user ? "operator" : ""));  // a predefined operator
    q.user = true;
    return mismatch(rule, q);
  };
  CHECK(key("scan/hillis_steele", 0, many).empty());
  CHECK(key("scan/two_tree", unsegmented, 1) == "algorithm");
  CHECK(key("scan/two_tree", 0, many, OperatorClass::user).empty());
  CHECK(key("scan/linear_pipeline", 0, 1) == "algorithm");
  CHECK(key("scan/linear_pipeline", 0, 1, OperatorClass::commutative, true) == "algorithm");
  CHECK(key("scan/linear_pipeline", unsegmented, many).empty());
  CHECK(key("scan/linear_pipeline", 4096, 4096).empty());
  CHECK(key("scan/linear_pipeline", 4096, 4097) == "algorithm");
  CHECK(key("scan/linear_pipeline", 4096, 4097, OperatorClass::user).empty());
  CHECK(key("scan/shared_flat", 0, 8192).empty());
  CHECK(key("scan/shared_flat", unsegmented, 8192).empty());
  CHECK(key("scan/shared_flat", unsegmented, 8193) == "algorithm");
  CHECK(key("scan/shared_flat", 4096, 4097) == "algorithm");
  Rule bcast;
  bcast.collective = Collective::bcast;
  bcast.choice = {.algorithm = find_algorithm("bcast/linear_pipeline"), .segment = 4096};
  CHECK(mismatch(bcast, {.collective = Collective::bcast, .bytes = many, .user = true}).empty());
}
