// SPDX-License-Identifier: MIT
// Tables in the form in which ranks send them: what comes out is what went in, or nothing.
#include "config/table/packed.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "algorithms/catalogue.hpp"
#include "config/table/digest.hpp"
#include "config/table/table.hpp"

using namespace mpigraft;
using namespace mpigraft::table;

namespace {

/// All that a table says, lines included, which its canonical form leaves out.
std::string words_of(const SharedTable& shared) {
  std::string words = shared.origin + '|' + shared.error + '|' + canonical(shared.table);
  for (const Rule& rule : shared.table.rules) words += std::to_string(rule.line) + ' ';
  return words;
}

void check_round_trip(const SharedTable& shared) {
  const std::string bytes = packed(shared);
  const auto again = unpacked(bytes);
  REQUIRE(again);
  REQUIRE(words_of(*again) == words_of(shared));
  REQUIRE(packed(*again) == bytes);
}

/// Random rules with all fields, whether they make sense or not.
class Random {
 public:
  std::int64_t below(std::int64_t n) { return std::uniform_int_distribution<std::int64_t>(0, n - 1)(engine_); }
  bool chance() { return below(2) == 1; }
  Range range() {
    Range range;
    if (chance()) range.min = below(range.max);
    if (chance()) range.max = below(range.max);
    return range;
  }
  Rule rule() {
    Rule rule;
    rule.ranks = range(), rule.bytes = range(), rule.nodes = range(), rule.ranks_per_node = range();
    if (chance()) rule.oversubscribed = chance();
    rule.line = static_cast<int>(below(1 << 20));
    rule.note.assign(static_cast<std::size_t>(below(40)), 'n');
    rule.collective = static_cast<Collective>(below(collective_count));
    rule.op = static_cast<OperatorClass>(below(std::size(operator_names)));
    rule.choice = {.algorithm = static_cast<int>(below(static_cast<std::int64_t>(listed.size()) + 1)) - 1,
                   .segment = chance() ? unsegmented : below(1 << 20),
                   .ports = static_cast<int>(below(max_ports + 1)),
                   .barrier = chance()};
    if (chance()) rule.composition = static_cast<Composition>(below(composition_count));
    rule.variant = static_cast<Variant>(below(std::size(all_variants)));
    return rule;
  }
  SharedTable table() {
    SharedTable shared{.origin = "/tmp/table.json", .error = chance() ? "" : "line\nline", .table = {}};
    Table& table = shared.table;
    table.schema = "s", table.site = "here", table.note = "\"why\"";
    table.required = {"MPICH*", chance() ? "" : "n*"};
    table.machine.latency = 1e-9 * static_cast<double>(1 + below(1000));
    table.scratch = below(1 << 30);
    for (std::int64_t n = below(20); n > 0; --n) table.rules.push_back(rule());
    return shared;
  }

 private:
  std::mt19937 engine_{7};
};

/// The bytes with a digest that fits them.
std::string signed_again(std::string bytes) {
  const std::size_t n = bytes.size() - sizeof(std::uint64_t);
  const std::uint64_t digest = table::digest(bytes.data(), n);
  return bytes.replace(n, sizeof digest, reinterpret_cast<const char*>(&digest), sizeof digest);
}

}  // namespace

TEST_CASE("random tables come out as they went in") {
  Random random;
  for (int i = 0; i < 500; ++i) check_round_trip(random.table());
}

TEST_CASE("a packed table of rules without notes is smaller than half its text") {
  Table table = parse_table(default_table_text()).table;
  drop_notes(table);
  CHECK(packed({"embedded", "", table}).size() < default_table_text().size() / 2);
}

TEST_CASE("the embedded tables are packed as their texts are, without notes") {
  for (const Interface interface : {Interface::mpich, Interface::openmpi}) {
    ParsedTable parsed = parse_table(default_table_text(interface));
    REQUIRE(parsed.findings.empty());
    drop_notes(parsed.table);
    CHECK(default_table_packed(interface) == packed({"embedded", "", parsed.table}));
  }
}

TEST_CASE("bytes that are missing, too many or changed are refused") {
  Random random;
  for (int i = 0; i < 20; ++i) {
    const std::string bytes = packed(random.table());
    for (std::size_t n = 0; n < bytes.size(); ++n) {
      REQUIRE_FALSE(unpacked(bytes.substr(0, n)));
      std::string changed = bytes;
      changed[n] = static_cast<char>(changed[n] ^ (1 + random.below(255)));
      REQUIRE_FALSE(unpacked(changed));
    }
    REQUIRE_FALSE(unpacked(bytes + '\0'));
  }
}

TEST_CASE("with a digest that fits, missing bytes are refused all the same, and counts are not believed") {
  Random random;
  for (int i = 0; i < 20; ++i) {
    const std::string bytes = packed(random.table());
    for (std::size_t n = sizeof(std::uint64_t); n < bytes.size(); ++n)
      REQUIRE_FALSE(unpacked(signed_again(bytes.substr(0, n))));
    REQUIRE_FALSE(unpacked(signed_again(bytes + '\0')));
  }
  std::string longer = packed({});
  longer[3] = '\x7f';  // the highest byte of the length of `origin`
  CHECK_FALSE(unpacked(signed_again(longer)));
}
