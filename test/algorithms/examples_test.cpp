// SPDX-License-Identifier: MIT
// The examples in the files of algorithms: which rank sends what to which other in which round. Each is made anew from
// the recorded run, and must be there as it is.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/catalogue.hpp"
#include "algorithms/model/price.hpp"
#include "algorithms/model/recorders.hpp"
#include "algorithms/model/replay.hpp"
#include "algorithms/model/symbolic.hpp"
#include "algorithms/model/values.hpp"

using namespace mpigraft;

namespace {

using Cells = std::map<std::pair<int, int>, std::string>;  // of a round and a rank

std::string range(std::int64_t first, std::int64_t last) {
  return std::to_string(first) + (last > first ? "-" + std::to_string(last) : "");
}

/// Writes messages down: "0-2[1]>4" is element 1 of x_0 (+) x_1 (+) x_2 to rank 4. Elements are left out if they are
/// all of them. Ranks are left out if elements are told, and nothing is combined or by a commutative operator.
template <class Value>
class Diary : public model::Symbolic<Value> {
 public:
  explicit Diary(const model::Recording& recording) : model::Symbolic<Value>(recording), recording_(recording) {}

  void move(int sender, int out, model::Span from, int receiver, int in, model::Span to) {
    const auto first = this->cell(sender, from.at), last = this->cell(sender, from.at + from.count - 1);
    const bool is_whole = from.count == recording_.m;
    std::string text = is_whole ? "" : "[" + range(first.element, last.element) + "]";
    if constexpr (requires { first.value.lo; })
      if (is_whole || recording_.collective->combines()) text = range(first.value.lo, first.value.hi - 1) + text;
    cells[{static_cast<int>(clock->now()) + 1, sender}] = text + ">" + std::to_string(receiver);
    model::Symbolic<Value>::move(sender, out, from, receiver, in, to);
  }

  Cells cells;
  const model::Replay<Diary>* clock = nullptr;

 private:
  const model::Recording& recording_;
};

template <class Value>
Cells cells_of(const model::Recording& recording) {
  Diary<Value> diary(recording);
  model::Replay replay(recording, model::count_rounds, diary);
  diary.clock = &replay;
  replay.run();
  return diary.cells;
}

/// A row for each round, a column for each rank.
std::string table_of(const Cells& cells, int p) {
  std::size_t width = 6;
  for (const auto& [where, text] : cells) width = std::max(width, text.size());
  const auto line = [&](const std::string& title, auto cell) {
    std::string text = "///   " + std::string(5 - std::min<std::size_t>(5, title.size()), ' ') + title;
    for (int r = 0; r < p; ++r) text += "  " + cell(r) + std::string(width - cell(r).size(), ' ');
    return text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
  };
  std::string table = line("round", [](int r) { return "rank " + std::to_string(r); });
  for (int round = 1; round <= cells.rbegin()->first.first; ++round)
    table += line(std::to_string(round), [&](int r) {
      const auto found = cells.find({round, r});
      return found == cells.end() ? std::string() : found->second;
    });
  return table;
}

struct Example {
  int p = 0, root = 0;
  std::int64_t m = 1, block = 0;  // elements
  std::string table;              // as it stands there
};

std::int64_t number_after(const std::string& line, const std::string& words, std::int64_t otherwise) {
  const std::size_t at = line.find(words);
  return at == std::string::npos ? otherwise : std::stoll(line.substr(at + words.size()));
}

/// The example in a file; p = 0 if it has none.
Example example_in(const std::string& path) {
  std::ifstream file(path);
  REQUIRE(file);
  Example found;
  for (std::string line; std::getline(file, line);) {
    if (line.find("/// Example: p = ") == 0)
      found = {static_cast<int>(number_after(line, "p = ", 0)), static_cast<int>(number_after(line, "root ", 0)),
               number_after(line, "m = ", 1), number_after(line, "blocks of ", 0), ""};
    else if (found.p > 0 && line.find("///   ") == 0)
      found.table += line + "\n";
    else if (!found.table.empty())
      return found;
  }
  return found;
}

std::string right_table(const model::Recordable& A, const Example& example) {
  const model::Recording recording =
      A.record(example.p, example.m, {.root = example.root, .element_bytes = 8, .segment = 8 * example.block});
  return table_of(A.info.commutative ? cells_of<model::Commutative>(recording) : cells_of<model::Ordered>(recording),
                  example.p);
}

}  // namespace

TEST_CASE("examples in the files of algorithms are what the algorithms do") {
  std::map<std::string, int> examples;
  model::for_each_recordable([&](const model::Recordable& A) {
    const std::string name(A.name);
    const Example example = example_in(MPIGRAFT_SOURCES "/algorithms/" + name + ".hpp");
    if (example.p == 0) return;
    ++examples[name.substr(name.find('/') + 1)];
    const std::string right = right_table(A, example);
    CHECK(example.table == right);
    if (example.table != right) std::printf("algorithms/%s.hpp should show\n%s", name.c_str(), right.c_str());
  });
  const std::map<std::string, int> required{
      {"two_tree", 5}, {"dual_root", 1}, {"circulant", 2}, {"doubling_123", 1}, {"pipelined_binary_tree", 4},
      {"butterfly", 2}};
  for (const auto& [name, files] : required) {
    CAPTURE(name);
    CHECK(examples[name] == files);
  }
}
