// SPDX-License-Identifier: MIT
#include "config/learning/learned.hpp"

#include <catch2/catch.hpp>
#include <map>

#include "algorithms/catalogue.hpp"
#include "algorithms/model/check.hpp"
#include "config/table/table.hpp"

namespace mpigraft::learning {
namespace {

table::Table base() {
  return table::parse_table(R"({"version": 1, "site": "here", "rules": [
    {"collective": "scan_reduce", "algorithm": "fused"},
    {"collective": "scan", "algorithm": "binomial", "note": "by hand"}]})")
      .table;
}

/// A table as it is after it was written and read.
table::Table written(const table::Table& table) {
  const table::ParsedTable parsed = table::parse_table(canonical(table));
  REQUIRE(parsed.findings.empty());
  return parsed.table;
}

Learned learned(std::int64_t calls, std::string_view algorithm, bool user = false) {
  return {.kind = {.collective = Collective::scan, .size_class = 13, .user = user},
          .ranks = 8,
          .nodes = 2,
          .ranks_per_node = {4, 4},
          .before = {},
          .choice = {.algorithm = find_algorithm(algorithm)},
          .gain = 1.5,
          .calls = calls};
}

using Hashes = std::vector<std::uint64_t>;

/// The associations, apart from swapped operands, in runs with several roots, lengths and blocks.
Hashes associations_of(const AlgorithmInfo& info, int ranks) {
  Hashes all;
  for (const int root : {0, ranks / 2, ranks - 1})
    for (const std::int64_t elements : {1, ranks, 700, 1 << 12})
      for (const std::int64_t segment : {0, 8, 640}) {
        if (root > 0 && !info_of(info.collective).rooted()) continue;
        const Params params{.root = root, .element_bytes = 8, .segment = segment};
        const Hashes one = model::associations(model::record(info, ranks, elements, params), true);
        all.insert(all.end(), one.begin(), one.end());
      }
  return all;
}

}  // namespace

TEST_CASE("a learned rule ends where the table's own would choose otherwise") {
  Trials trials;
  Candidates one;
  const table::Query query{.collective = Collective::scan, .ranks = 8, .bytes = 1500};
  const table::Range alike{1200, 1500};
  Learned within = learned(150, "scan/two_tree");
  within.kind = trials.begin(query, one, Cores::own, 1, Order::any, alike).kind;
  CHECK(trials.find(query, Order::any, alike));
  CHECK_FALSE(trials.find(query, Order::any, {1501, table::unlimited}));
  CHECK(with_learned(base(), {within}, "").rules[0].bytes == alike);
  within.kind.alike = {7, table::unlimited};
  CHECK(with_learned(base(), {within}, "").rules[0].bytes == table::Range{1024, 2047});
}

TEST_CASE("a trial that had to keep the association gives way to one that had not") {
  Learned limited = learned(300, "scan/transpose"), free = learned(300, "scan/two_tree");
  limited.kind.order = Order::kept;
  const table::Table both = with_learned(base(), {free, limited}, "here");
  CHECK(name_of(both.rules.front().choice) == "scan/two_tree");
  CHECK(both.rules.size() == 3);
  CHECK(name_of(with_learned(base(), {limited}, "here").rules.front().choice) == "scan/transpose");
  limited.choice = limited.before;
  CHECK(with_learned(base(), {limited}, "here").rules.size() == 2);
  CHECK(describe_forbidden(limited.kind, 8, 1, 6) ==
        "scan, 8 ranks, 4096 to 8191 bytes, floating point: tried 0 of 6 candidates, because the others may change the "
        "last bits of results (MPIGRAFT_LEARN=FILE.json,float permits that)");
  CHECK(describe_forbidden(limited.kind, 8, 3, 6).find(": tried 3 of 6 candidates") != std::string::npos);
}

TEST_CASE("calls share a trial by the power of two of their bytes and the kind of their operator") {
  Trials trials;
  Candidates two;
  two.add({});
  two.add({.algorithm = 0});
  const auto trial_for = [&](const table::Query& query) -> Entry* {
    if (Entry* const entry = trials.find(query)) return entry;
    return trials.full() ? nullptr : &trials.begin(query, two, Cores::own, 1);
  };
  table::Query query{.collective = Collective::scan, .ranks = 8, .bytes = 1024, .nodes = 2, .ranks_per_node = {4, 4}};
  Entry* const entry = trial_for(query);
  REQUIRE(entry);
  query.bytes = 2047;
  CHECK(trial_for(query) == entry);
  query.bytes = 2048;
  CHECK(trial_for(query) != entry);
  query.bytes = 1024, query.user = true;
  Entry* const of_user = trial_for(query);
  CHECK(of_user != entry);
  query.commutative = false;
  CHECK((trial_for(query) != of_user && trial_for(query) != entry));
  CHECK(trials.count() == 4);
  query.collective = Collective::bcast;
  Entry* const of_bcast = trial_for(query);
  query.commutative = true, query.user = false;
  CHECK(trial_for(query) == of_bcast);  // which has no operator
  for (query.bytes = 1; query.bytes < std::int64_t{1} << 60; query.bytes *= 2) trial_for(query);
  CHECK(trials.count() == 32);  // there is no room for more
  CHECK(trial_for(query) == nullptr);
}

TEST_CASE("what was learned comes before the table's rules, once") {
  table::Table table = with_learned(base(), {learned(150, "scan/two_tree")}, "job on host");
  table = with_learned(written(table), {learned(170, "scan/butterfly"), learned(160, "scan/linear_pipeline", true)},
                       "job on host");
  table = written(table);
  REQUIRE(table.rules.size() == 4);
  CHECK(describe(table.rules[0]) ==
        "scan ranks 8..8 bytes 4K..8191 nodes 2..2 ranks_per_node 4..4 not oversubscribed operator user: "
        "scan/linear_pipeline");
  CHECK(name_of(table.rules[1].choice) == "scan/butterfly");
  CHECK(table.rules[1].note == "learned: 1.5 times the speed of native, by 170 calls; job on host");
  CHECK(describe(learned(160, "scan/linear_pipeline", true))
            .starts_with("scan, 8 ranks, 4096 to 8191 bytes, user operators: "));
  CHECK(table.rules[2].composition == Composition::scan_reduce);
  CHECK(table.rules[3].note == "by hand");
  CHECK(table.site == "here");
}

TEST_CASE("rules say what their algorithms need") {
  Learned one = learned(100, "scan/binomial");
  one.kind = {.collective = Collective::allreduce, .size_class = 4};
  one.choice = {.algorithm = find_algorithm("allreduce/ring")};
  CHECK(written(with_learned(base(), {one}, "")).rules[0].op == table::OperatorClass::commutative);
  one = learned(100, "scan/binomial");
  one.kind = {.collective = Collective::barrier};
  one.choice = one.before = {};
  CHECK(written(with_learned(base(), {one}, "job")).rules[0].note ==
        "learned: no algorithm that was tried is faster, by 100 calls; job");
}

TEST_CASE("merging keeps what was learned by more calls") {
  const table::Table a = with_learned(base(), {learned(150, "scan/two_tree")}, "a");
  const table::Table b =
      with_learned(base(), {learned(170, "scan/butterfly"), learned(90, "scan/two_tree", true)}, "b");
  for (const auto& [first, second] : {std::pair(a, b), std::pair(b, a)}) {
    const table::Table table = written(merged(first, second));
    REQUIRE(table.rules.size() == 4);
    CHECK(table.rules[0].op == table::OperatorClass::user);
    CHECK(name_of(table.rules[1].choice) == "scan/butterfly");
    CHECK(table.rules[3].note == "by hand");
  }
}

TEST_CASE("merging keeps the order of rules that overlap") {
  Learned wide = learned(150, "scan/butterfly"), narrow = learned(90, "scan/two_tree");
  narrow.kind.alike = {4096, 5000};
  const table::Table both = with_learned({}, {wide, narrow}, "");
  CHECK(merged(base(), both).rules.front().bytes == table::Range{4096, 5000});
  CHECK(canonical(merged(both, both)) == canonical(both));
  wide.calls = 300;
  CHECK(merged(both, with_learned({}, {wide}, "")).rules.front().bytes == table::Range{4096, 5000});
  table::Table twice = both;
  twice.rules.push_back(twice.rules.front());
  twice.rules.back().choice = wide.choice;  // never matches
  CHECK(name_of(merged(base(), twice).rules.front().choice) == "scan/two_tree");
}

TEST_CASE("rules for operators of programs that need not commute stand behind those for operators that do") {
  Learned commuting = learned(150, "allreduce/ring", true), any = learned(170, "allreduce/two_tree", true);
  commuting.kind.collective = any.kind.collective = Collective::allreduce;
  any.kind.commutative = false;
  for (const auto& all : {std::vector{commuting, any}, std::vector{any, commuting}}) {
    const table::Table table = with_learned(base(), all, "");
    REQUIRE(table.rules.size() == 4);
    CHECK(name_of(table.rules[0].choice) == "allreduce/ring");
    CHECK(name_of(table.rules[1].choice) == "allreduce/two_tree");
    CHECK(merged(table, table).rules.size() == 4);
  }
}

TEST_CASE("rules that someone has edited are replaced where they are for the same calls") {
  const table::Table one = with_learned({}, {learned(90, "scan/two_tree")}, "");
  table::Table wider = with_learned({}, {learned(170, "scan/butterfly"), learned(170, "scan/butterfly", true)}, "");
  wider.rules[1].ranks = {2, 8};
  CHECK(merged(wider, one).rules.size() == 3);
  CHECK(merged(one, wider).rules.size() == 3);
  wider.rules[1].ranks = {8, 8}, wider.rules[1].note = "learned: and edited";
  CHECK(name_of(merged(wider, one).rules[1].choice) == "scan/two_tree");
  wider.rules.pop_back();  // only the one for user operators is left
  CHECK(name_of(merged(wider, one).rules[1].choice) == "scan/two_tree");
}

TEST_CASE("algorithms that associate alike are known, and no others") {
  std::map<int, Hashes> seen;
  for (int i = 0; i < static_cast<int>(listed.size()); ++i) {
    const AlgorithmInfo& info = info_of(i);
    if (!info_of(info.collective).combines() || looks_at_nodes(info.placement)) continue;  // elsewhere another one runs
    for (const int ranks : {3, 4, 5, 6, 7, 8, 12, 16, 17}) {
      const Hashes here = associations_of(info, ranks);
      seen[i].insert(seen[i].end(), here.begin(), here.end());
    }
  }
  for (const auto& [one, hashes] : seen)
    for (int other = 0; other < static_cast<int>(listed.size()); ++other) {
      const auto others = seen.find(other);
      const bool alike =
          others != seen.end() && info_of(one).collective == info_of(other).collective && hashes == others->second;
      CAPTURE(name_of(table::Choice{one}), name_of(table::Choice{other}));
      CHECK(associate_alike({.algorithm = one}, {.algorithm = other}, 3) == alike);
    }
}

TEST_CASE("two operands have one association, and that of a native call with more is unknown") {
  const table::Choice scan{.algorithm = find_algorithm("scan/butterfly")}, native{.algorithm = table::native};
  CHECK(associate_alike(scan, native, 2));
  CHECK_FALSE(associate_alike(scan, native, 3));
  CHECK(associate_alike(native, native, 3));
  CHECK_FALSE(associate_alike(scan, {.algorithm = scan.algorithm, .segment = 64}, 3));  // which cuts elsewhere
}

}  // namespace mpigraft::learning
