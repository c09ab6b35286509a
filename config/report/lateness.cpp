// SPDX-License-Identifier: MIT
#include "config/report/lateness.hpp"

#include <algorithm>
#include <cstdio>

namespace mpigraft::report {
namespace {

constexpr std::size_t told_ranks = 3;

int percent(std::int64_t part, std::int64_t whole) {
  return whole <= 0 ? 0 : static_cast<int>(100 * static_cast<double>(part) / static_cast<double>(whole) + 0.5);
}

std::string seconds(std::int64_t ns) {
  char text[32];
  const double value = static_cast<double>(ns);
  std::snprintf(text, sizeof text, "%.3g %s",
                ns < 1'000'000       ? value / 1e3
                : ns < 1'000'000'000 ? value / 1e6
                                     : value / 1e9,
                ns < 1'000'000       ? "us"
                : ns < 1'000'000'000 ? "ms"
                                     : "s");
  return text;
}

void pool(LateRank& into, const LateRank& other, std::int64_t ranks) {
  into.rank += ranks;
  into.last += other.last;
  into.waited_ns += other.waited_ns;
}

std::string share_of(const LateRank& late, std::int64_t calls, const char* of_what) {
  return std::to_string(percent(late.last, calls)) + "%" + of_what + " (" + seconds(late.waited_ns) + ")";
}

}  // namespace

std::int64_t Lateness::waited_ns() const {
  std::int64_t sum = others.waited_ns;
  for (const LateRank& late : ranks) sum += late.waited_ns;
  return sum;
}

LateRank& Lateness::of(std::int64_t rank) {
  const auto found = std::ranges::find(ranks, rank, &LateRank::rank);
  return found != ranks.end() ? *found : ranks.emplace_back(LateRank{.rank = rank});
}

void Lateness::add(const Lateness& other) {
  calls += other.calls;
  ns += other.ns;
  for (const LateRank& late : other.ranks) {
    LateRank& same = of(late.rank);
    same.last += late.last;
    same.waited_ns += late.waited_ns;
  }
  pool(others, other.others, other.others.rank);
}

void Lateness::keep_worst(std::size_t most) {
  std::ranges::sort(ranks, [](const LateRank& a, const LateRank& b) {
    if (a.waited_ns != b.waited_ns) return a.waited_ns > b.waited_ns;
    return a.last != b.last ? a.last > b.last : a.rank < b.rank;
  });
  for (; ranks.size() > most; ranks.pop_back()) pool(others, ranks.back(), 1);
}

std::string words_of(const Lateness& late) {
  Lateness told = late;
  told.keep_worst(told_ranks);
  std::string text =
      std::to_string(percent(told.waited_ns(), told.ns)) + "% of " + seconds(told.ns) + " was waiting for the last; ";
  for (std::size_t i = 0; i < told.ranks.size(); ++i)
    text += (i == 0 ? "rank " : ", rank ") + std::to_string(told.ranks[i].rank) + (i == 0 ? " came last in " : " in ") +
            share_of(told.ranks[i], told.calls, i == 0 ? " of the calls" : "");
  if (told.others.rank > 0)
    text += ", " + std::to_string(told.others.rank) + (told.others.rank == 1 ? " other in " : " others in ") +
            share_of(told.others, told.calls, "");
  return text;
}

}  // namespace mpigraft::report
