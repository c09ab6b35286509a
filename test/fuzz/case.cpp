// SPDX-License-Identifier: MIT
#include "test/fuzz/case.hpp"

#include <algorithm>
#include <iterator>

#include "algorithms/catalogue.hpp"
#include "config/table/choice.hpp"

namespace mpigraft::fuzz {
namespace {

constexpr std::int64_t most_blocks = 40;  // of a pipeline: more show nothing new and take long

/// Mostly short, so that blocks are uneven and some ranks get none; now and then megabytes.
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

/// The formula's block, no blocks, or a block whose borders lie at and beside those of the vector.
std::int64_t draw_segment(Random& random, std::int64_t bytes, std::int64_t element_bytes) {
  if (random.percent(30)) return 0;
  if (random.percent(8)) return table::unsegmented;
  const std::int64_t shift[] = {0, 0, -1, 1, -element_bytes, element_bytes};
  return std::max<std::int64_t>(1, bytes / random.between(1, most_blocks) + random.pick(std::to_array(shift)));
}

const Kind& draw_kind(Random& random, Collective collective, bool commutative) {
  for (;;) {
    const bool user = random.percent(info_of(collective).combines() ? 55 : 20);
    const Kind& kind = user ? random.pick(user_kinds) : random.pick(predefined_kinds);
    if (kind.commutes || !commutative) return kind;
  }
}

/// Parts of random lengths, or all elements in one rank's part.
std::vector<std::int64_t> draw_firsts(Random& random, int p, std::int64_t count) {
  std::vector<std::int64_t> firsts(static_cast<std::size_t>(p) + 1, 0);
  const std::int64_t only = random.percent(15) ? random.below(p) : p;
  for (int r = 1; r < p; ++r)
    firsts[static_cast<std::size_t>(r)] = only < p ? (r > only ? count : 0) : random.between(0, count);
  firsts.back() = count;
  std::ranges::sort(firsts);
  return firsts;
}

/// Cuts the vector into parts. It may get longer by less than one element a rank.
void draw_parts(Random& random, Case& c) {
  if (!c.facts().has_parts()) return;
  c.equal_parts = random.percent(50);
  if (!c.equal_parts) return void(c.firsts = draw_firsts(random, c.p, c.count));
  c.count = (c.count + c.p - 1) / c.p * c.p;
  for (int r = 0; r <= c.p; ++r) c.firsts.push_back(first_of(r, c.p, c.count));
}

}  // namespace

Case draw_case(std::uint64_t seed, std::int64_t number, int p, Selection selection) {
  Random random{seed, static_cast<std::uint64_t>(number), 2};
  const int algorithm = static_cast<int>(random.below(static_cast<std::int64_t>(listed.size())));
  const AlgorithmInfo& info = info_of(algorithm);
  const bool commutative = info.commutative && selection == Selection::forced;
  const Kind& kind = draw_kind(random, info.collective, commutative);
  Case c{.seed = seed, .number = number, .p = p, .collective = info.collective, .kind = &kind, .layout = Layout(kind)};
  c.commutes = kind.commutes && (commutative || random.percent(70));
  c.root = static_cast<int>(random.below(p));
  c.bare = selection == Selection::default_table;
  // not with operators of the program, where MPICH 4.0.2 writes beyond its memory
  c.nonblocking = !c.bare && !c.facts().combines() && random.percent(20);
  c.mixed = !c.facts().combines() && random.percent(50);
#ifdef OPEN_MPI  // 4.1.4 chooses an algorithm of its own by the size of each rank's type, and hangs
  if (c.bare && c.facts().has_parts()) c.mixed = false;
#endif
  c.count = draw_count(random, static_cast<std::int64_t>(kind.size));
  if (kind.op == MPI_OP_NULL || !c.facts().combines()) {
    c.layout = Layout::draw(random, kind, c.count + most_gaps * p + p, c.bare);
    // MPICH 4.0.2 writes beyond its memory
    if (c.bare && !c.commutes && c.facts().result.length == Length::part) c.layout = Layout(kind);
    if (c.count > 20) c.count = c.count / std::max<std::int64_t>(1, c.layout.units()) + 1;
  }
  draw_parts(random, c);
  const std::int64_t element = std::max<std::int64_t>(1, c.bytes() / std::max<std::int64_t>(1, c.count));
  if (selection == Selection::forced) c.forced = table::Choice{algorithm, draw_segment(random, c.bytes(), element)};
  if (c.forced && info.k_ported) c.forced->ports = static_cast<int>(random.between(0, max_ports));
  if (c.forced && info.barrier) c.forced->barrier = random.percent(50);
  return c;
}

Values Case::input(int rank) const {
  Values values(static_cast<std::size_t>(bytes()));
  kind->make(values.data(), units(), rank, first_value());
  return values;
}

/// Each case has values of its own.
std::int64_t Case::first_value() const {
  return static_cast<std::int64_t>(Random{seed, static_cast<std::uint64_t>(number), 3}.next() >> 2);
}

std::int64_t Case::part(int rank) const {
  return firsts[static_cast<std::size_t>(rank) + 1] - firsts[static_cast<std::size_t>(rank)];
}

Values Case::part_of(const Values& values, int rank) const {
  const std::int64_t element = layout.units() * static_cast<std::int64_t>(kind->size);
  const auto first = values.begin() + firsts[static_cast<std::size_t>(rank)] * element;
  return {first, first + part(rank) * element};
}

Values Case::operand(int rank) const {
  return facts().input.length == Length::part ? part_of(input(rank), rank) : input(rank);
}

Values Case::result(int rank) const {
  if (facts().sources != Sources::of_owner) {
    const auto [lo, hi] = sources_of(row(), rank, p, root, 0);
    Values all(static_cast<std::size_t>(bytes()));
    combine_ranks(kind, lo, hi, first_value(), units(), all.data());
    return facts().result.length == Length::part ? part_of(all, rank) : all;
  }
  Values joined;
  for (int owner = 0; owner < p; ++owner) std::ranges::copy(operand(owner), std::back_inserter(joined));
  return joined;
}

std::string Case::text() const {
  std::string text = std::string(name_of(collective)) + ' ' + (forced ? words_of(*forced) : "by the table") + ": " +
                     std::to_string(count) + " x " + layout.text();
  if (facts().combines()) text += std::string(", ") + kind->op_name;
  if (facts().combines() && kind->op == MPI_OP_NULL) text += commutes ? " (commute = 1)" : " (commute = 0)";
  if (nonblocking) text += ", nonblocking";
  if (mixed) text += ", every rank with a type of its own";
  if (!firsts.empty()) text += equal_parts ? ", equal parts" : ", parts from";
  for (std::size_t r = 0; !equal_parts && r < firsts.size(); ++r) text += ' ' + std::to_string(firsts[r]);
  if (facts().rooted()) text += ", root " + std::to_string(root);
  return text;
}

}  // namespace mpigraft::fuzz
