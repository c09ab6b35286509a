// SPDX-License-Identifier: MIT
// Stable partition and filter (Huang 2007, chapter VI.A, p-partition): an exclusive scan of two counters tells each
// rank where its items go, chosen ones to the front, or chosen ones alone.
#include "app.hpp"

using Item = std::uint64_t;

namespace {

/// About --percent of the items.
struct Predicate {
  long percent;
  bool operator()(Item item) const { return static_cast<long>(item % 100) < percent; }
};

/// Indices at which this rank's first chosen item and first other item belong, and how many are chosen on all ranks.
struct Places {
  long chosen, others, all_chosen;
};

Places places_of(const std::vector<Item>& items, Predicate is_chosen) {
  const long chosen = std::ranges::count_if(items, is_chosen);
  const std::vector<long> before =
      app::before<long>({chosen, static_cast<long>(items.size()) - chosen}, MPI_LONG, MPI_SUM, 0);
  const long all_chosen = app::sum_of_all(chosen);
  return {before[0], all_chosen + before[1], all_chosen};
}

app::Part<Item> partition(const app::Blocks& blocks, const std::vector<Item>& items, Predicate is_chosen) {
  Places next = places_of(items, is_chosen);
  std::vector<long> places;
  for (const Item item : items) places.push_back(is_chosen(item) ? next.chosen++ : next.others++);
  return app::place(blocks, items, places);
}

/// The chosen items become a sequence of their own, evenly distributed.
app::Part<Item> filter(const std::vector<Item>& items, Predicate is_chosen) {
  const Places next = places_of(items, is_chosen);
  std::vector<Item> chosen;
  std::ranges::copy_if(items, std::back_inserter(chosen), is_chosen);
  std::vector<long> places(chosen.size());
  std::iota(places.begin(), places.end(), next.chosen);
  return app::place(app::Blocks(next.all_chosen), chosen, places);
}

}  // namespace

int main(int argc, char** argv) {
  app::Run run(argc, argv, "partition",
               {{"size", {"10000"}}, {"steps", {"10"}}, {"percent", {"40"}}, {"method", {"partition", "filter"}}});
  const Predicate is_chosen{run.number("percent")};
  const bool filters = run.word("method") == "filter";
  std::vector<Item> items(run.number("size"));
  std::ranges::generate(items, run.random());
  auto expected = items;
  const auto others = std::ranges::stable_partition(expected, is_chosen);
  if (filters) expected.erase(others.begin(), others.end());
  const app::Blocks blocks = run.blocks(run.number("size"));
  const std::vector<Item> own = blocks.own(items);
  return run.judge([&](long) { return filters ? filter(own, is_chosen) : partition(blocks, own, is_chosen); },
                   expected);
}
