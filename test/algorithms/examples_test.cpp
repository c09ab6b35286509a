// SPDX-License-Identifier: MIT
// The examples in the files of algorithms: which rank sends what to which other in which round. Each is made anew from
// the recorded run, and must be there as it is.
#include <catch2/catch.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "algorithms/model/transfers.hpp"
#include "test/algorithms/cases.hpp"

using namespace mpigraft;

namespace {

struct Example {
  int p = 0, root = 0;
  std::int64_t m = 1, block = 0;  // elements
  int ports = 2, node = 0;        // node: ranks of each but the last; 0: one node
  std::string table;              // as it stands there
};

std::int64_t number_after(const std::string& line, const std::string& words, std::int64_t otherwise) {
  const std::size_t at = line.find(words);
  return at == std::string::npos ? otherwise : std::stoll(line.substr(at + words.size()));
}

/// The file of an algorithm: where scan and exscan have one text, they share a file.
std::string file_of(const std::string& name) {
  const std::string folder = "/algorithms/", own = folder + name + ".hpp";
  return std::filesystem::exists(MPIGRAFT_SOURCES + own) ? own
                                                         : folder + "prefix" + name.substr(name.find('/')) + ".hpp";
}

/// The example in a file: the first or, for an exclusive scan, its own if there is one. p = 0: there is none.
Example example_in(const std::string& path, Collective collective) {
  std::ifstream file(path);
  REQUIRE(file);
  Example found;
  bool in_example = false;
  for (std::string line; std::getline(file, line);) {
    const bool own = collective == Collective::exscan && line.starts_with("/// Example, exclusive: p = ");
    if (own || (found.p == 0 && line.starts_with("/// Example: p = "))) {
      found = {static_cast<int>(number_after(line, "p = ", 0)),
               static_cast<int>(number_after(line, "root ", 0)),
               number_after(line, "m = ", 1),
               number_after(line, "blocks of ", 0),
               static_cast<int>(number_after(line, "k = ", 2)),
               static_cast<int>(number_after(line, "nodes of ", 0)),
               ""};
      in_example = true;
    } else if (in_example && line.starts_with("///   ")) {
      found.table += line + "\n";
    } else if (!found.table.empty()) {
      in_example = false;
    }
  }
  return found;
}

std::string right_table(const Listed& A, const Example& example) {
  const proof::Shape nodes = example.node > 0 ? proof::of_size(example.p, example.node) : proof::Shape{};
  const model::Recording recording = model::record(
      *A.info, example.p, example.m,
      {.root = example.root, .element_bytes = 8, .segment = 8 * example.block, .ports = example.ports, .nodes = nodes});
  std::string table;
  for (const std::string& line : lines_of(recording, transfers_of(recording, A.info->commutative)))
    table += "///   " + line + "\n";
  return table;
}

}  // namespace

TEST_CASE("examples in the files of algorithms are what the algorithms do") {
  proof::for_each_proved([](const Listed& A) {
    const std::string name(A.name);
    const std::string file = file_of(name);
    Example example = example_in(MPIGRAFT_SOURCES + file, A.info->collective);
    CAPTURE(name);
    CHECK(example.p > 0);
    if (example.p == 0) example = {.p = 5, .m = info_of(A.info->collective).has_parts() ? 5 : 1, .table = ""};
    const std::string right = right_table(A, example);
    CHECK(example.table == right);
    if (example.table == right) return;
    std::printf("%s should show\n%s", file.c_str() + 1, right.c_str());
    if (example.table.empty())
      std::printf("below a line that begins with\n/// Example: p = %d, m = %d.\n", example.p,
                  static_cast<int>(example.m));
  });
}
