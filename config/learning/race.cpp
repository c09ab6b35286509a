// SPDX-License-Identifier: MIT
#include "config/learning/race.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace mpigraft::learning {
namespace {

// In a sweep every candidate runs once. The first sweep of all sets up memory and is no measure.
constexpr std::array sweeps_of_stage{4, 5, 12, 48};
constexpr int last_stage = sweeps_of_stage.size() - 1;
constexpr double hopeless = 3;  // times as slow as the best one, after the first stage
constexpr double margin = 1.05;
constexpr std::int64_t part_of_time = 100;  // learning may take one of so many seconds

/// A rank's time has in it how long others came late, and more than half of its calls may. Its quicker calls tell what
/// a candidate takes: the lowest eighth decides. So many of n sorted values are in the 84 % interval of that quantile
/// on either side. Two such intervals that do not overlap are of quantiles that differ, but for one case in twenty.
constexpr int eighth = 8;
int beside_eighth(int n) { return static_cast<int>(std::ceil(1.4 * std::sqrt(n * 7.0) / eighth)); }

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

Race::Race(int candidates) : alive_count_(candidates), candidates_(candidates), over_(candidates == 1) {
  for (int i = 0; i < candidates; ++i) alive_[at(i)] = i;
}

int Race::phase_calls() const { return pause_ > 0 ? pause_ : sweeps_of_stage[at(stage_)] * alive_count_; }

/// Every other sweep runs backwards, so that a machine that gets slower or faster favours nobody.
int Race::next() const {
  if (over_) return winner_;
  if (pause_ > 0) return 0;
  const int sweep = call_ / alive_count_, place = call_ % alive_count_;
  return alive_[at(sweep % 2 == 0 ? place : alive_count_ - 1 - place)];
}

int Race::start() {
  const int candidate = next();
  const bool warm_up = stage_ == 0 && call_ < alive_count_;
  started_ = over_ || pause_ > 0 || warm_up ? -1 : candidate;
  ++calls_, ++call_;
  return candidate;
}

void Race::took(std::int64_t ns) {
  if (started_ < 0) return;
  Samples& its = samples_[at(started_)];
  if (its.count < most_samples) its.ns[at(its.count++)] = ns;
  started_ = -1;
}

Statement::Figures Race::figures_of(int candidate) const {
  Samples sorted = samples_[at(candidate)];
  if (sorted.count == 0) return {};
  std::sort(sorted.ns.begin(), sorted.ns.begin() + sorted.count);
  const int n = sorted.count, decides = n / eighth, beside = beside_eighth(n);
  return {sorted.ns[at(decides)], sorted.ns[at(std::max(0, decides - beside))],
          sorted.ns[at(std::min(n - 1, decides + beside))]};
}

std::int64_t Race::excess() const {
  if (pause_ > 0 || over_) return 0;
  std::int64_t sum = 0;
  for (const int candidate : std::span(alive_).first(at(alive_count_)))
    sum += samples_[at(candidate)].count * (figures_of(candidate).quick - figures_of(0).quick);
  return sum;
}

Statement Race::statement(std::int64_t cost, std::int64_t elapsed) const {
  Statement mine{.cost = cost, .minus_elapsed = -elapsed};
  if (pause_ == 0)
    for (const int candidate : std::span(alive_).first(at(alive_count_)))
      mine.of[at(candidate)] = figures_of(candidate);
  return mine;
}

void Race::judge(const Statement& of_all) {
  call_ = 0;
  if (pause_ == 0) {
    if (stage_ == 0) drop_hopeless(of_all);
    if (stage_ == 1) keep_best(of_all, (candidates_ + 1) / 2);
    if (stage_ == 2) keep_best(of_all, 1);
    if (stage_ == last_stage || alive_count_ == 1) return decide(of_all);
    stage_ = alive_count_ == 2 ? last_stage : stage_ + 1;
    for (Samples& samples : samples_) samples.count = 0;
  }
  const bool too_dear = of_all.cost > -of_all.minus_elapsed / part_of_time;
  pause_ = too_dear ? static_cast<int>(std::min<std::int64_t>(calls_, 1 << 30)) : 0;
}

/// Without those that `drops` names; what ran before stays.
template <class Drops>
void Race::drop(Drops drops) {
  const auto end = std::remove_if(alive_.begin(), alive_.begin() + alive_count_,
                                  [&](int candidate) { return candidate != 0 && drops(candidate); });
  alive_count_ = static_cast<int>(end - alive_.begin());
}

/// By the quickest calls: of three, two may have met other work where ranks share cores.
void Race::drop_hopeless(const Statement& of_all) {
  const auto quickest = [&](int candidate) { return static_cast<double>(of_all.of[at(candidate)].low); };
  const int best = *std::ranges::min_element(std::span(alive_).first(at(alive_count_)), {}, quickest);
  drop([&](int candidate) { return quickest(candidate) > hopeless * quickest(best); });
}

void Race::keep_best(const Statement& of_all, int most) {
  const auto quick = [&](int candidate) { return of_all.of[at(candidate)].quick; };
  const auto alive = alive_;
  drop([&](int candidate) {
    const auto better = [&](int other) {
      return std::pair(quick(other), other) < std::pair(quick(candidate), candidate);
    };
    return std::ranges::count_if(std::span(alive).first(at(alive_count_)), better) >= most;
  });
}

/// Candidate 0 stays, unless the best one's interval is below its own by the margin.
void Race::decide(const Statement& of_all) {
  over_ = true;
  const auto figures = [&](int candidate) -> const Statement::Figures& { return of_all.of[at(candidate)]; };
  winner_ = *std::ranges::min_element(std::span(alive_).first(at(alive_count_)), {},
                                      [&](int candidate) { return figures(candidate).quick; });
  const auto times = [](std::int64_t ns) { return static_cast<double>(std::max<std::int64_t>(ns, 1)); };
  if (times(figures(winner_).high) * margin > times(figures(0).low)) winner_ = 0;
  gain_ = times(figures(0).quick) / times(figures(winner_).quick);
}

}  // namespace mpigraft::learning
