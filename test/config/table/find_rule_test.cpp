// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "algorithms/catalogue.hpp"
#include "config/table/table.hpp"

using namespace mpigraft;
using namespace mpigraft::table;

namespace {

constexpr Query query{.collective = Collective::scan, .ranks = 16, .bytes = 1024, .nodes = 3, .ranks_per_node = {4, 8}};

const Rule* find_in(const std::vector<Rule>& rules, const Query& q) {
  static Table table;  // outlives the pointer that is returned
  table.rules = rules;
  return find_rule(table.rules, q);
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

TEST_CASE("the rule after one that would cut decides for a user operator") {
  Rule cutting, whole;
  cutting.choice.algorithm = find_algorithm("scan/shared_flat");
  whole.choice.algorithm = find_algorithm("scan/binomial");
  cutting.line = 1, whole.line = 2;
  Query q = query;
  q.bytes = 8193;
  CHECK(find_in({cutting, whole}, q)->line == 1);
  q.user = true;
  CHECK(find_in({cutting, whole}, q)->line == 2);
  CHECK(find_in({cutting}, q) == nullptr);
  q.bytes = 8192;
  CHECK(find_in({cutting, whole}, q)->line == 1);
}
