// SPDX-License-Identifier: MIT
#include "test/fuzz/case.hpp"

#include <algorithm>

#include "algorithms/catalogue.hpp"
#include "config/table/choice.hpp"

namespace mpigraft::fuzz {
namespace {

constexpr std::int64_t most_blocks = 40;  // of a pipeline: more show nothing new and take long

/// Mostly short, where blocks are uneven and some ranks get none; a few of megabytes.
std::int64_t draw_count(Random& random, std::int64_t element_bytes) {
  const auto chance = random.below(1000);
  const auto up_to = [&](std::int64_t bytes) {
    return random.between(1, std::max<std::int64_t>(1, bytes / element_bytes));
  };
  if (chance < 30) return 0;
  if (chance < 150) return 1;
  if (chance < 550) return random.between(2, 20);
  if (chance < 900) return random.between(2, 600);
  if (chance < 980) return up_to(16 << 10);
  if (chance < 997) return up_to(256 << 10);
  return up_to(4 << 20);
}

/// The formula's block, none, or one such that borders of blocks lie at and beside those of the vector.
std::int64_t draw_segment(Random& random, std::int64_t bytes, std::int64_t element_bytes) {
  if (random.percent(30)) return 0;
  if (random.percent(8)) return table::unsegmented;
  const std::int64_t shift[] = {0, 0, -1, 1, -element_bytes, element_bytes};
  return std::max<std::int64_t>(1, bytes / random.between(1, most_blocks) + random.pick(std::to_array(shift)));
}

const Kind& draw_kind(Random& random, Collective collective, bool commutative) {
  for (;;) {
    const bool user = random.percent(info_of(collective).combines() ? 55 : 20);
    const Kind& kind = random.pick(user ? user_kinds() : predefined_kinds());
    if (kind.commutative || !commutative) return kind;
  }
}

std::string name_of_choice(const std::optional<table::Choice>& choice) {
  if (!choice) return "by the table";
  return std::string(name_of(*choice)) + table::describe_options(*choice);
}

}  // namespace

Case draw_case(std::uint64_t seed, std::int64_t number, int p, Selection selection) {
  Random random{seed, static_cast<std::uint64_t>(number), 2};
  const int algorithm = static_cast<int>(random.below(static_cast<std::int64_t>(listed.size())));
  const AlgorithmInfo& info = *listed[static_cast<std::size_t>(algorithm)].info;
  const bool commutative = info.commutative && selection == Selection::forced;
  const Kind& kind = draw_kind(random, info.collective, commutative);
  Case c{.seed = seed, .number = number, .p = p, .collective = info.collective, .kind = &kind, .layout = Layout(kind)};
  c.commutes = kind.commutative && (commutative || random.percent(70));
  c.root = static_cast<int>(random.below(p));
  c.bare = selection == Selection::default_table;
  c.mixed = !c.facts().combines() && random.percent(50);
  c.count = draw_count(random, static_cast<std::int64_t>(kind.width));
  if (kind.op == MPI_OP_NULL || !c.facts().combines()) {
    c.layout = Layout::draw(random, kind, c.count, c.bare);
    if (c.count > 20) c.count = c.count / std::max<std::int64_t>(1, c.layout.units()) + 1;
  }
  const std::int64_t element = std::max<std::int64_t>(1, c.bytes() / std::max<std::int64_t>(1, c.count));
  if (selection == Selection::forced) c.forced = table::Choice{algorithm, draw_segment(random, c.bytes(), element)};
  if (c.forced && info.k_ported) c.forced->ports = static_cast<int>(random.between(0, max_ports));
  if (c.forced && info.barrier) c.forced->barrier = random.percent(50);
  return c;
}

Values Case::input(int rank) const {
  const std::uint64_t base =
      Random{seed, static_cast<std::uint64_t>(number), 3, static_cast<std::uint64_t>(rank)}.next();
  Values values(static_cast<std::size_t>(bytes()));
  for (std::size_t at = 0; at < values.size(); at += kind->width) kind->make(mixed_bits(base + at), rank, &values[at]);
  return values;
}

Values Case::combined(RankRange ranks) const {
  Values lower = input(ranks.lo);
  for (int rank = ranks.lo + 1; rank < ranks.hi; ++rank) {
    Values upper = input(rank);
    for (std::size_t at = 0; at < upper.size(); at += kind->width) kind->join(&lower[at], &upper[at]);
    lower.swap(upper);
  }
  return lower;
}

std::string Case::text() const {
  std::string text = std::string(name_of(collective)) + ' ' + name_of_choice(forced) + ": " + std::to_string(count) +
                     " x " + layout.text();
  if (facts().combines()) text += std::string(", ") + kind->op_name;
  if (facts().combines() && kind->op == MPI_OP_NULL) text += commutes ? " (commute = 1)" : " (commute = 0)";
  if (mixed) text += ", every rank with a type of its own";
  if (facts().rooted()) text += ", root " + std::to_string(root);
  return text;
}

}  // namespace mpigraft::fuzz
