// SPDX-License-Identifier: MIT
// Load balancing of weighted items on a line, as programs with adaptive meshes and particles do: weights change from
// step to step, a prefix sum of them says where each item goes, and the items keep their order.
#include "app.hpp"

namespace {

constexpr long heaviest = 1000;

struct Item {
  long number, weight;
  bool operator==(const Item&) const = default;
};

/// Items become heavy in a region that travels through them.
long weight_of(long number, long items, long step, long seed) {
  const long place = (number + (seed + step) * items / 10) % items;
  const auto hash = static_cast<std::uint64_t>(number * 1000003 + step + seed) * 0x9e3779b97f4a7c15u;
  const long base = 1 + static_cast<long>((hash >> 40) % 20);
  return place < items / 8 ? std::min(heaviest, base * 50) : base;
}

/// Cuts the line of all weights into even pieces: an item goes where its beginning lies.
int rank_of(long weight_before, long weight_of_all, int p) {
  return static_cast<int>(weight_before * p / weight_of_all);
}

std::vector<Item> balanced(const std::vector<Item>& items) {
  long own = 0;
  for (const Item& item : items) own += item.weight;
  long before = app::sum_before(own);
  const long all = app::sum_of_all(own);
  std::vector<std::vector<Item>> to(app::ranks());
  for (const Item& item : items) {
    to[rank_of(before, all, app::ranks())].push_back(item);
    before += item.weight;
  }
  return app::exchange(to);
}

/// True if no load is further from the average than the heaviest item weighs.
bool is_balanced(const std::vector<Item>& items) {
  long load = 0;
  for (const Item& item : items) load += item.weight;
  const long difference = load * app::ranks() - app::sum_of_all(load);
  return std::abs(difference) <= heaviest * app::ranks();
}

}  // namespace

int main(int argc, char** argv) {
  app::Run run(argc, argv, "load_balance", {{"size", {"10000"}}, {"steps", {"10"}}});
  const long all = run.number("size");
  const auto weigh = [&](std::vector<Item>& items, long step) {
    for (Item& item : items) item.weight = weight_of(item.number, all, step, run.number("seed"));
  };
  std::vector<Item> expected(all), items;
  for (long i = 0; i < all; ++i) expected[i].number = i;
  items = run.blocks(all).own(expected);
  bool right = true;
  const auto step = [&](long k) {
    weigh(items, k);
    items = balanced(items);
    right = right && is_balanced(items);
    return app::Part<Item>{app::sum_before(static_cast<long>(items.size())), right ? items : std::vector<Item>()};
  };
  return run.judge(step, expected, [&](long k) { weigh(expected, k); });
}
