// SPDX-License-Identifier: MIT
// The drawings in documents for developers. Each is made anew from the code, and must be there as it is.
#include <catch2/catch.hpp>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "algorithms/patterns/two_tree.hpp"
#include "shim/memory/segment.hpp"

using namespace mpigraft;

namespace {

/// The text block behind `<!-- drawn by: NAME -->`.
std::string shown_in(const std::string& document, const std::string& name) {
  std::ifstream file(MPIGRAFT_SOURCES "/" + document);
  REQUIRE(file);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const std::string marker = "<!-- drawn by: " + name + " -->\n```text\n";
  const std::size_t at = text.find(marker);
  REQUIRE(at != std::string::npos);
  const std::size_t begin = at + marker.size();
  return text.substr(begin, text.find("```", begin) - begin);
}

void must_show(const std::string& document, const std::string& name, const std::string& right) {
  const std::string shown = shown_in(document, name);
  CHECK(shown == right);
  if (shown != right) std::printf("%s should show\n%s", document.c_str(), right.c_str());
}

void put(std::string& line, std::size_t at, const std::string& text) {
  if (line.size() < at + text.size()) line.resize(at + text.size(), ' ');
  line.replace(at, text.size(), text);
}

constexpr std::size_t column_width = 8;
std::size_t column_of(int member) { return column_width * static_cast<std::size_t>(member) - column_width / 2; }

/// Lines from a member to its children.
void join(std::string& line, int member, const std::array<int, 2>& children) {
  std::size_t first = column_of(member), last = first;
  for (const int child : children)
    if (child > 0) first = std::min(first, column_of(child)), last = std::max(last, column_of(child));
  if (first == last) return;
  put(line, first, std::string(last - first + 1, '-'));
  for (const int child : children)
    if (child > 0) put(line, column_of(child), ".");
  put(line, column_of(member), "'");
}

/// "4:1": block 0 of the half comes to member 4 in step 1.
std::string picture_of(const two_trees::Tree& tree) {
  std::string text = "T" + std::to_string(tree.half + 1) + ", half " + std::to_string(tree.half) + "\n";
  for (std::vector<int> level{tree.children(0)[0]}; !level.empty();) {
    std::string names, lines;
    std::vector<int> next;
    for (const int member : level) {
      put(names, column_of(member) - 1,
          std::to_string(member) + ":" + std::to_string(tree.edge(member, tree.parent(member)).first));
      join(lines, member, tree.children(member));
      for (const int child : tree.children(member))
        if (child > 0) next.push_back(child);
    }
    text += names + "\n" + (lines.empty() ? "" : lines + "\n");
    level = next;
  }
  return text;
}

/// A part's name, bytes, and what it consists of.
std::string row(const char* part, std::size_t bytes, const std::string& parts) {
  char text[160];
  std::snprintf(text, sizeof text, "%-34s %6zu bytes%s%s\n", part, bytes, parts.empty() ? "" : "   ", parts.c_str());
  return text;
}

std::string layout() {
  using namespace memory;
  const auto several = [](std::size_t n, const char* what, std::size_t bytes) {
    return std::to_string(n) + " " + what + " of " + std::to_string(bytes);
  };
  std::string text =
      row("slots of rank 0, ..., p-1, each", sizeof(SharedSlots),
          several(SharedSlots::slots, "marks", sizeof(SharedSlots::Mark)) + ", " +
              several(SharedSlots::slots, "texts", SharedSlots::slot_bytes)) +
      row("doorbell of rank 0, ..., p-1, each", sizeof(SharedDoorbell), "") +
      row("ring to 0 from 0, ..., p-1, each", sizeof(SharedRing),
          several(1, "word", offsetof(SharedRing, cell)) + ", " +
              several(SharedRing::cells, "cells", sizeof(SharedRing::Cell)) + ", text " +
              std::to_string(inline_bytes)) +
      "  and so on, to p-1\n" +
      row("board of rank 0, ..., p-1, each", sizeof(SharedBoard),
          several(1, "word", offsetof(SharedBoard, cell)) + ", " +
              several(SharedBoard::cells, "cells", sizeof(SharedBoard::Cell)) + ", text " +
              std::to_string(page_text_bytes) + ", " + several(SharedBoard::lines, "lines", sizeof(TextLine))) +
      "  only for p <= " + std::to_string(max_readers) + "\n\n";
  for (const int p : {2, 8, max_readers, max_readers + 1, 64, max_sharing_ranks}) {
    char line[80];
    std::snprintf(line, sizeof line, "p = %3d %12zu bytes\n", p, segment_bytes(p));
    text += line;
  }
  return text;
}

}  // namespace

TEST_CASE("the two trees of a document are those of the code") {
  constexpr int members = 6;
  must_show("algorithms/FROM_PAPER.md", "two trees",
            picture_of({.half = 0, .n = members}) + "\n" + picture_of({.half = 1, .n = members}));
}

TEST_CASE("the sizes of a document are those of the segment") {
  must_show("shim/memory/README.md", "layout", layout());
}
