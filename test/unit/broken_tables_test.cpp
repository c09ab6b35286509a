// SPDX-License-Identifier: MIT
// Every broken_tables/NAME.json has its findings beside it in NAME.expected, as `mpigraft check NAME.json` prints them.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "config/table/table.hpp"

using namespace mpigraft;
namespace files = std::filesystem;

namespace {

std::string text_of(const files::path& path) {
  std::ifstream file(path, std::ios::binary);
  REQUIRE(file);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("broken tables have the findings that are written beside them") {
  int tables = 0;
  for (const auto& entry : files::directory_iterator(BROKEN_TABLES)) {
    if (entry.path().extension() != ".json") continue;
    ++tables;
    const std::string name = entry.path().filename().string();
    CAPTURE(name);
    std::string found;
    for (const table::Finding& finding : table::parse_table(text_of(entry.path())).findings)
      found += table::describe(name, finding) + '\n';
    const std::string expected = text_of(files::path(entry.path()).replace_extension(".expected"));
    CHECK(found == expected);
    CHECK_FALSE(expected.empty());
  }
  CHECK(tables >= 16);
}
