// SPDX-License-Identifier: MIT
// The negotiation between processes whose settings differ.
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <new>

#include "shim/agree/negotiation.hpp"
#include "shim/base/process.hpp"
#include "test/unit/shim/fake_mpi.hpp"

using namespace mpigraft;
using namespace mpigraft::agree;
using test::on_ranks;

namespace {

/// A rank's copy of its agreement.
struct Agreed {
  FallbackReason fallback;
  int rank, size, first_nodes;
  bool strict, float_native, all_report, has_table;
  std::int64_t nodes, most_a_node;
  char name[48];
  std::uint64_t table;
};

Agreed negotiated(bool has_memory = true) {
  Contact contact{.in_touch = true, .due = true};
  const Negotiated agreed = negotiate(abi::comm_world, contact, has_memory);
  Agreed found{.fallback = agreed.fallback,
               .rank = agreed.rank,
               .size = agreed.size,
               .first_nodes = static_cast<int>(agreed.nodes.size()),
               .strict = agreed.strict,
               .float_native = agreed.float_native,
               .all_report = agreed.all_report,
               .has_table = agreed.table != nullptr,
               .nodes = agreed.node_count,
               .most_a_node = agreed.ranks_per_node.max,
               .name = {},
               .table = agreed.table ? agreed.table->digest : 0};
  std::memcpy(found.name, agreed.name.data(), sizeof found.name);
  return found;
}

/// The reason on which all of three ranks agree, where one of them is set up by `differ`.
template <class F>
FallbackReason refused_where(int who, F differ) {
  const auto all = on_ranks(3, [&](int rank) {
    if (rank == who) differ(base::settings());
    return negotiated().fallback;
  });
  REQUIRE(all.size() == 3);
  CHECK(all[1] == all[0]);
  CHECK(all[2] == all[0]);
  return all[0];
}

/// A table in a file of its own, for this scope.
class TableFileOf {
 public:
  explicit TableFileOf(const char* text) {
    char name[] = "/tmp/mpigraft-unit-XXXXXX";
    close(mkstemp(name));
    name_ = name;
    std::ofstream(name_) << text;
  }
  ~TableFileOf() { std::remove(name_.c_str()); }
  TableFileOf(const TableFileOf&) = delete;
  TableFileOf& operator=(const TableFileOf&) = delete;
  const std::string& name() const { return name_; }

 private:
  std::string name_;
};

}  // namespace

TEST_CASE("ranks that are set up alike agree on a table, a name and nodes") {
  const TableFileOf file(R"({"version": 1, "rules": [{"collective": "scan", "algorithm": "binomial"}]})");
  const auto all = on_ranks(5, [&](int rank) {
    base::settings().nodes.each = 2;
    if (rank == 0) base::settings().table = file.name();  // the others would not find it
    return negotiated();
  });
  REQUIRE(all.size() == 5);
  for (int rank = 0; rank < 5; ++rank) {
    const Agreed& here = all[static_cast<std::size_t>(rank)];
    CHECK(here.fallback == FallbackReason::none);
    CHECK(here.rank == rank);
    CHECK(here.size == 5);
    CHECK(here.nodes == 3);
    CHECK(here.most_a_node == 2);
    CHECK(here.first_nodes == 3);
    CHECK(here.has_table);
    CHECK(here.table == all[0].table);
    CHECK(std::string(here.name) == "mpigraft:0:0");
    CHECK_FALSE(here.strict);
    CHECK_FALSE(here.all_report);
  }
}

TEST_CASE("rules arrive as rank 0 has read them, their notes only in a job that learns") {
  const TableFileOf file(R"({"version": 1, "machine": {"latency": "9us"}, "rules": [
    {"collective": "scan", "algorithm": "native", "bytes": {"max": 7}},
    {"collective": "scan", "algorithm": "binomial", "segment": 99, "note": "why"}]})");
  const bool learns = GENERATE(false, true);
  const auto all = on_ranks(3, [&](int rank) {
    if (rank == 0) base::settings().table = file.name();
    base::settings().learn = learns ? "/absent/learned.json" : "";
    Contact contact{.in_touch = true, .due = true};
    const Negotiated agreed = negotiate(abi::comm_world, contact, true);
    const table::Table& table = agreed.table->table;
    const table::Rule& last = table.rules.back();
    return std::array{static_cast<double>(table.rules.size()), static_cast<double>(last.choice.segment),
                      static_cast<double>(last.line), static_cast<double>(last.note.size()), table.machine.latency};
  });
  CHECK(all == std::vector(3, std::array{2.0, 99.0, 3.0, learns ? 3.0 : 0.0, 9e-6}));
}

TEST_CASE("the table travels but once, and each agreement has a name of its own") {
  const auto all = on_ranks(3, [](int) {
    const std::string first = negotiated().name, second = negotiated().name;
    const int before = test::asked().collectives;
    negotiated();
    return std::array{first != second, test::asked().collectives - before == 2};  // ballot and host facts
  });
  REQUIRE(all.size() == 3);
  for (const auto& [other_name, two_collectives] : all) {
    CHECK(other_name);
    CHECK(two_collectives);
  }
}

TEST_CASE("one rank keeps all from grafting") {
  const int who = GENERATE(0, 2);
  CHECK(refused_where(who, [](table::Settings& own) { own.errors = {"MPIGRAFT_FORCE: no such thing"}; }) ==
        FallbackReason::settings);
  CHECK(refused_where(who, [](table::Settings& own) { own.decisive = "MPIGRAFT_SHARED=0"; }) ==
        FallbackReason::differs);
}

TEST_CASE("the gravest reason of several is that of all ranks") {
  const auto all = on_ranks(3, [](int rank) {
    if (rank == 0) base::settings().decisive = "MPIGRAFT_SHARED=0";
    if (rank == 1) base::settings().errors = {"MPIGRAFT_NODES: no number"};
    return negotiated().fallback;
  });
  CHECK(all == std::vector(3, FallbackReason::settings));
}

TEST_CASE("a rank without memory takes part and votes for native") {
  const auto all = on_ranks(3, [](int rank) { return negotiated(rank != 1).fallback; });
  CHECK(all == std::vector(3, FallbackReason::memory));
}

TEST_CASE("a broken table is broken on all ranks") {
  const TableFileOf file("{\"version\": 1, \"rules\": 7}");
  CHECK(refused_where(0, [&](table::Settings& own) { own.table = file.name(); }) == FallbackReason::table);
}

TEST_CASE("what one rank asks for holds on all, what all must ask for does not") {
  const auto all = on_ranks(3, [](int rank) {
    base::settings().strict = rank == 2;
    base::settings().report = rank == 1 ? "" : "stderr";
    const Agreed agreed = negotiated();
    return std::array{agreed.strict, agreed.all_report};
  });
  CHECK(all == std::vector(3, std::array{true, false}));
}

TEST_CASE("an intercommunicator agrees on nothing") {
  const auto all = on_ranks(2, [](int) {
    Contact contact{.in_touch = true, .due = true};
    const FallbackReason reason = negotiate(test::comm_inter, contact, true).fallback;
    return std::array{reason == FallbackReason::intercommunicator, test::asked().collectives == 0};
  });
  CHECK(all == std::vector(2, std::array{true, true}));
}
