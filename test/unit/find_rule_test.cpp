// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "algorithms/catalogue.hpp"
#include "config/explanation.hpp"
#include "config/table.hpp"

using namespace mpigraft;

namespace {

constexpr Query query{.collective = Collective::scan, .ranks = 16, .bytes = 1024, .nodes = 3, .ranks_per_node = {4, 8}};

const Rule* find_in(const std::vector<Rule>& rules, const Query& q) {
  static Table table;  // outlives the pointer that is returned
  table.rules = rules;
  return find_rule(table, q);
}

}  // namespace

TEST_CASE("the first rule that matches wins") {
  Rule narrow, wide, other;
  narrow.bytes = {0, 1023};
  other.collective = Collective::bcast;
  narrow.line = 1, wide.line = 2, other.line = 3;
  CHECK(find_in({narrow, other, wide, wide}, query)->line == 2);
  CHECK(find_in({wide, narrow}, query)->line == 2);
  CHECK(find_in({narrow, other}, query) == nullptr);
  CHECK(find_in({}, query) == nullptr);
}

TEST_CASE("ranges include both of their ends") {
  Rule rule;
  rule.ranks = {8, 16};
  rule.bytes = {1024, 2048};
  const auto key = [&](std::int64_t ranks, std::int64_t bytes) {
    Query q = query;
    q.ranks = ranks;
    q.bytes = bytes;
    return mismatch(rule, q);
  };
  CHECK(key(8, 1024).empty());
  CHECK(key(16, 2048).empty());
  CHECK(key(7, 1024) == "ranks");
  CHECK(key(17, 1024) == "ranks");
  CHECK(key(8, 1023) == "bytes");
  CHECK(key(8, 2049) == "bytes");
}

TEST_CASE("a range of nodes") {
  Rule rule;
  const auto matches = [&](Range range) {
    rule.nodes = range;
    return mismatch(rule, query).empty();
  };
  CHECK(matches({3, 3}));
  CHECK(matches({1, 4}));
  CHECK_FALSE(matches({1, 2}));
  CHECK_FALSE(matches({4, 9}));
  CHECK(mismatch(rule, query) == "nodes");
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
  CHECK(matches(OperatorClass::user, false, true));
  CHECK_FALSE(matches(OperatorClass::user, true, false));
  CHECK(matches(OperatorClass::user, true, false, Collective::bcast));
}

TEST_CASE("an explanation agrees with find_rule and says what kept earlier rules") {
  Table table;
  table.rules.resize(6);
  table.rules[0].collective = Collective::exscan;
  table.rules[1].ranks = {2, 15};
  table.rules[2].bytes = {2048, 4096};
  table.rules[3].ranks_per_node = {1, 1};
  table.rules[4].op = OperatorClass::user;
  const Explanation found = explain_call(query, {}, table);
  CHECK(found.rule == find_rule(table, query));
  std::vector<std::string> reasons;
  for (const Skipped& skipped : found.skipped) reasons.push_back(skipped.reason);
  CHECK(reasons == std::vector<std::string>{"it is for exscan", "ranks 16 is outside 2..15",
                                            "bytes 1K is outside 2K..4K", "ranks per node 4..8 is outside 1..1",
                                            "the operator is predefined"});
}

TEST_CASE("settings decide before the table") {
  Table table;
  table.rules.resize(1);
  Settings settings;
  const int doubling = find_algorithm("scan/simultaneous_binomial");
  settings.force[0] = Choice{.algorithm = doubling};
  const Explanation forced = explain_call(query, settings, table);
  CHECK(forced.rule == nullptr);
  CHECK(forced.choice.algorithm == doubling);
  CHECK(forced.rounds == 4);
  Query empty = query;
  empty.bytes = 0;
  CHECK(explain_call(empty, settings, table).choice.algorithm == native);
  Query alone = query;
  alone.ranks = 1;
  CHECK(explain_call(alone, settings, table).choice.algorithm == native);
  settings.disable = true;
  CHECK(explain_call(query, settings, table).choice.algorithm == native);
}
