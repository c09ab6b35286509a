// SPDX-License-Identifier: MIT
// Tables in the form in which ranks send them: what comes out is what went in, or nothing.
#include "config/table/packed.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

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

}  // namespace

// One of them, test/fuzz_table/corpus/everything.json, has all keys.
TEST_CASE("every table of the repository comes out as it went in") {
  int tables = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(SOURCES)) {
    if (entry.path().extension() != ".json" || entry.path().string().find("/build") != std::string::npos) continue;
    std::stringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    ParsedTable parsed = parse_table(text.str());
    if (!parsed.findings.empty()) continue;
    CAPTURE(entry.path());
    const SharedTable shared{entry.path(), "line\nline", std::move(parsed.table)};
    const auto again = unpacked(packed(shared));
    REQUIRE(again);
    CHECK(words_of(*again) == words_of(shared));
    CHECK(packed(*again) == packed(shared));
    ++tables;
  }
  CHECK(tables >= 14);
}

TEST_CASE("a packed table of rules without notes is smaller than half its text") {
  Table table = parse_table(default_table_text()).table;
  for (Rule& rule : table.rules) rule.note.clear();
  CHECK(packed({"embedded", "", table}).size() < default_table_text().size() / 2);
}

TEST_CASE("bytes that are missing or too many are refused, and counts are not believed") {
  Table table = parse_table(default_table_text()).table;
  table.rules.resize(20);  // more would only take longer
  const std::string bytes = packed({"embedded", "", table});
  for (std::size_t n = 0; n < bytes.size(); ++n) REQUIRE_FALSE(unpacked(bytes.substr(0, n)));
  CHECK_FALSE(unpacked(bytes + '\0'));
  std::string longer = packed({});
  longer[3] = '\x7f';  // the highest byte of the length of `origin`
  CHECK_FALSE(unpacked(longer));
}
