// SPDX-License-Identifier: MIT
// libFuzzer target: whatever the bytes are, parse_table returns, and what it returns can be used, checked and written.
// Built by scripts/fuzz-table.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "algorithms/catalogue.hpp"
#include "config/analysis/lint.hpp"
#include "config/table/packed.hpp"
#include "config/table/table.hpp"

using namespace mpigraft;
using namespace mpigraft::table;

namespace {

void require(bool held, const char* what) {
  if (held) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

/// Requires that a defect is at a place of the text, and is told in one line that a terminal can show.
void check(const Finding& finding, std::string_view text) {
  const auto lines = std::count(text.begin(), text.end(), '\n') + 1;
  require(finding.line >= 1 && finding.line <= lines, "the line is one of the text");
  require(finding.column >= 1 && finding.column <= static_cast<int>(text.size()) + 1, "the column is one of the text");
  for (const char c : describe("table.json", finding))
    require(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f, "a finding is one line of printable characters");
}

void check(const Rule& rule) {
  for (const Range& range : {rule.ranks, rule.bytes, rule.nodes, rule.ranks_per_node})
    require(0 <= range.min && range.min <= range.max, "a range is not empty");
  require(rule.choice.segment >= 0 && rule.choice.ports >= 0 && rule.choice.ports <= max_ports, "options are in range");
  require(rule.choice.algorithm >= native && rule.choice.algorithm < static_cast<int>(listed.size()), "it is listed");
  if (rule.choice.algorithm == native) return;
  const AlgorithmInfo& info = info_of(rule.choice.algorithm);
  require(info.collective == rule.collective, "the algorithm is one of the collective");
  require(!info.commutative || rule.op != OperatorClass::noncommutative, "it takes the rule's operators");
  require(!describe(rule).empty(), "a rule can be told");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const ParsedTable parsed = parse_table(text);
  for (const Finding& finding : parsed.findings) check(finding, text);
  if (!parsed.findings.empty()) return 0;
  for (const Rule& rule : parsed.table.rules) check(rule);
  require(parsed.table.machine.latency >= 0 && parsed.table.machine.per_byte >= 0, "figures are not negative");
  for (const Finding& finding : analysis::check_table(text).findings) check(finding, text);
  const std::string once = canonical(parsed.table);
  const ParsedTable again = parse_table(once);
  require(again.findings.empty(), "the canonical form is a table");
  require(canonical(again.table) == once, "the canonical form is its own");
  const auto received = unpacked(packed({"embedded", "", parsed.table}));
  require(received && canonical(received->table) == once, "a table arrives as it was sent");
  return 0;
}
