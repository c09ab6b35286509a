// SPDX-License-Identifier: MIT
#include "config/learning/trial.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace mpigraft::learning {
namespace {

constexpr std::size_t eighth = 8;
constexpr double deviations = 1.4;  // of a normal distribution, to either side of an 84 % interval

double mean_of(std::span<const std::int64_t> times) {
  return std::reduce(times.begin(), times.end(), 0.0) / static_cast<double>(times.size());
}

double deviation_of(std::span<const std::int64_t> times) {
  const double mean = mean_of(times);
  const double squares = std::transform_reduce(times.begin(), times.end(), 0.0, std::plus{}, [&](std::int64_t time) {
    return (static_cast<double>(time) - mean) * (static_cast<double>(time) - mean);
  });
  return std::sqrt(squares / static_cast<double>(std::max<std::size_t>(times.size() - 1, 1)));
}

// A sweep runs every candidate once. The very first sweep sets up memory, so it is not measured.
constexpr std::array sweeps_of_stage{4, 5, 12, 48, 96};
constexpr int deciding = 3;  // this stage may decide; the last one adds to its samples if they leave a doubt
constexpr int last_stage = sweeps_of_stage.size() - 1;
constexpr double hopeless = 3;  // times as slow as the best one after the first stage
constexpr double margin = 1.05;
constexpr std::int64_t part_of_time = 100;  // learning may take one part in so many of the time

std::size_t at(int i) { return static_cast<std::size_t>(i); }
double length(std::int64_t ns) { return static_cast<double>(std::max<std::int64_t>(ns, 1)); }

}  // namespace

/// The interval of a quantile ends at order statistics, as many to either side as the binomial distribution asks.
Figures quick_eighth(std::span<std::int64_t> times) {
  if (times.empty()) return {};
  std::ranges::sort(times);
  const std::size_t n = times.size(), at = n / eighth;
  const auto beside = static_cast<std::size_t>(std::ceil(deviations * std::sqrt(static_cast<double>(n * 7)) / eighth));
  return {times[at], times[at - std::min(at, beside)], times[std::min(n - 1, at + beside)]};
}

/// The standard error of a trimmed mean comes from the winsorised times, where those left out count as the slowest
/// kept.
Figures trimmed_mean(std::span<std::int64_t> times) {
  if (times.empty()) return {};
  std::ranges::sort(times);
  const std::size_t n = times.size(), kept = n - (n - 1 + eighth - 1) / eighth;  // at least one
  const double mean = mean_of(times.first(kept));
  std::ranges::fill(times.subspan(kept), times[kept - 1]);
  const double part = static_cast<double>(kept) / static_cast<double>(n);
  const double beside = deviations * deviation_of(times) / std::sqrt(static_cast<double>(n)) / part;
  return {std::llround(mean), std::llround(std::max(mean - beside, 0.0)), std::llround(mean + beside)};
}

Trial::Trial(int candidates, Cores cores, unsigned order)
    : alive_count_(candidates), random_(order), candidates_(candidates), cores_(cores), over_(candidates == 1) {
  for (int i = 0; i < candidates; ++i) alive_[at(i)] = i;
}

int Trial::phase_calls() const { return pause_ > 0 ? pause_ : sweeps_of_stage[at(stage_)] * alive_count_; }

/// Every sweep has a random order, because a program may repeat its calls in step with any regular one.
int Trial::next_place() {
  const int i = call_ % alive_count_;
  if (i == 0)  // std::shuffle may differ between the libraries of two ranks
    for (int place = 0; place < alive_count_; ++place) {
      const std::size_t other = random_() % at(place + 1);
      order_[at(place)] = order_[other];
      order_[other] = place;
    }
  return order_[at(i)];
}

int Trial::start(std::int64_t now) {
  if (last_ >= 0) add(periods_, last_, now - began_);
  began_ = now;
  const bool tries = !over_ && pause_ == 0, warm_up = stage_ == 0 && call_ < alive_count_;
  const int place = tries ? next_place() : 0;
  started_ = last_ = tries && !warm_up ? place : -1;
  ++calls_, ++call_, tried_ += tries;
  return over_ ? winner_ : alive_[at(place)];
}

void Trial::took(std::int64_t ns) {
  if (started_ >= 0) add(times_, started_, ns);
  started_ = -1;
}

void Trial::add(Samples& samples, int place, std::int64_t ns) const {
  samples.times[at(place) * samples_each() + at(samples.count[at(place)]++)] = ns;
}

Figures Trial::estimate(const Samples& samples, int place, Figures (*by)(std::span<std::int64_t>)) const {
  auto times = samples.times;
  return by(std::span(times).subspan(at(place) * samples_each(), at(samples.count[at(place)])));
}

Figures Trial::figures_of(int place) const {
  return estimate(times_, place, cores_ == Cores::own ? quick_eighth : trimmed_mean);
}

std::int64_t Trial::excess() const {
  if (pause_ > 0 || over_) return 0;
  std::int64_t sum = 0;
  for (int place = 1; place < alive_count_; ++place) sum += figures_of(place).time - figures_of(0).time;
  return sum * sweeps_of_stage[at(stage_)];
}

Statement Trial::statement(std::int64_t cost, std::int64_t elapsed) const {
  Statement mine{.cost = cost, .minus_elapsed = -elapsed};
  if (pause_ == 0)
    for (int place = 0; place < alive_count_; ++place) {
      mine.of[at(alive_[at(place)])] = figures_of(place);
      mine.periods[at(alive_[at(place)])] = estimate(periods_, place, quick_eighth).time;
    }
  return mine;
}

void Trial::evaluate(const Statement& of_all) {
  call_ = 0;
  last_ = -1;  // the exchange of statements is no part of the program
  if (pause_ == 0) {
    if (stage_ == 0) drop_hopeless(of_all);
    if (stage_ == 1) keep_best(of_all, (candidates_ + 1) / 2);
    if (stage_ == 2) keep_best(of_all, 1);
    if (stage_ >= deciding || alive_count_ == 1) {
      decide(of_all);
    } else {
      stage_ = alive_count_ == 2 ? deciding : stage_ + 1;
      times_.count = periods_.count = {};
    }
    if (over_) return;
  }
  const bool too_dear = of_all.cost > -of_all.minus_elapsed / part_of_time;
  pause_ = too_dear ? static_cast<int>(std::min<std::int64_t>(calls_, 1 << 30)) : 0;
}

int Trial::best_of(const Statement& of_all) const {
  const auto time = [&](int candidate) { return of_all.of[at(candidate)].time; };
  return *std::ranges::min_element(std::span(alive_).first(at(alive_count_)), {}, time);
}

/// Removes the candidates for which `drops` is true. Candidate 0 stays, in the first place.
template <class Drops>
void Trial::drop(Drops drops) {
  const auto end = std::remove_if(alive_.begin(), alive_.begin() + alive_count_,
                                  [&](int candidate) { return candidate != 0 && drops(candidate); });
  alive_count_ = static_cast<int>(end - alive_.begin());
}

/// Compares the interval's lower end, because other work may have slowed two of three calls if ranks share cores.
void Trial::drop_hopeless(const Statement& of_all) {
  const int best = best_of(of_all);
  drop([&](int candidate) {
    return length(of_all.of[at(candidate)].low) > hopeless * length(of_all.of[at(best)].time);
  });
}

void Trial::keep_best(const Statement& of_all, int most) {
  const auto time = [&](int candidate) { return of_all.of[at(candidate)].time; };
  const auto alive = alive_;
  drop([&](int candidate) {
    const auto better = [&](int other) {
      return std::pair(time(other), other) < std::pair(time(candidate), candidate);
    };
    return std::ranges::count_if(std::span(alive).first(at(alive_count_)), better) >= most;
  });
}

/// Candidate 0 stays, unless the best one's interval lies below its own by the margin, and its period is shorter.
void Trial::decide(const Statement& of_all) {
  const int best = best_of(of_all);
  const Figures &fastest = of_all.of[at(best)], &before = of_all.of[0];
  const bool leads = length(fastest.time) * margin <= length(before.time);
  const bool surely = length(fastest.high) * margin <= length(before.low);
  const bool wins = surely && of_all.periods[at(best)] < of_all.periods[0];
  over_ = !leads || wins || stage_ == last_stage;
  if (!over_) ++stage_;
  if (!wins) return;
  winner_ = best;
  gain_ = length(before.time) / length(fastest.time);
}

}  // namespace mpigraft::learning
