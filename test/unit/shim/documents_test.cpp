// SPDX-License-Identifier: MIT
// The developers' pages show what the code says: sizes of the shared segment, and the two trees.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "algorithms/patterns/two_tree.hpp"
#include "shim/memory/segment.hpp"

using namespace mpigraft;

namespace {

std::string page(const std::string& name) {
  std::ifstream file(std::getenv("PROJECT_ROOT") + ("/" + name));
  return {std::istreambuf_iterator<char>(file), {}};
}

int depth(const two_trees::Tree& tree, int member) {
  int levels = 0;
  for (; member != 0; member = tree.parent(member)) ++levels;
  return levels;
}

/// A row for each level, with each of 1..n in its column, behind it the step in which block 0 comes.
std::string drawn(int half, int n) {
  const two_trees::Tree tree{half, n};
  std::string text;
  for (int level = 1, found = 1; found > 0; ++level) {
    std::string row(static_cast<std::size_t>(5 * n), ' ');
    found = 0;
    for (int i = 1; i <= n; ++i) {
      if (depth(tree, i) != level) continue;
      ++found;
      const std::string shown = std::to_string(i) + "(" + std::to_string(tree.edge(i, tree.parent(i)).first) + ")";
      row.replace(static_cast<std::size_t>(5 * (i - 1)), shown.size(), shown);
    }
    row.erase(row.find_last_not_of(' ') + 1);
    if (found > 0) text += row + "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("shim/memory/README.md tells the sizes of the segment") {
  using namespace memory;
  std::string sizes = "<!-- segment:";
  for (const std::size_t bytes : {sizeof(SharedSlots), sizeof(SharedBell), sizeof(SharedRing), sizeof(SharedBoard)})
    sizes += " " + std::to_string(bytes);
  for (const int p : {2, 8, 16, 64, 128})
    sizes += (p == 2 ? "; " : ", ") + std::to_string(p) + ": " + std::to_string(segment_bytes(p));
  const std::string text = page("shim/memory/README.md");
  CAPTURE(sizes, inline_bytes, page_text_bytes);
  CHECK(text.find(sizes + " -->") != text.npos);
  CHECK(text.find("<!-- inline: " + std::to_string(inline_bytes) + " -->") != text.npos);
  CHECK(text.find("<!-- page: " + std::to_string(page_text_bytes) + " -->") != text.npos);
  CHECK(text.find("<!-- readers: " + std::to_string(max_readers) + " -->") != text.npos);
}

TEST_CASE("algorithms/FROM_PAPER.md draws the two trees") {
  const std::string text = page("algorithms/FROM_PAPER.md");
  for (const int half : {0, 1}) {
    CAPTURE(drawn(half, 10));
    CHECK(text.find(drawn(half, 10)) != text.npos);
  }
}
