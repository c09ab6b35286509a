// SPDX-License-Identifier: MIT
#include "config/learning/trial.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <catch2/catch.hpp>
#include <limits>
#include <random>
#include <vector>

namespace mpigraft::learning {
namespace {

using Engine = std::mt19937_64;

double uniform(Engine& engine, double from, double to) { return std::uniform_real_distribution(from, to)(engine); }

/// A machine: the cost of each candidate, noise, and now and then other work.
struct Machine {
  explicit Machine(Engine& engine)
      : costs(2 + engine() % (most_candidates - 1)), noise(uniform(engine, 0.02, 0.3)), busy(uniform(engine, 0, 0.05)) {
    for (double& cost : costs) cost = 1000 * std::exp(uniform(engine, 0, std::log(8.0)));
  }
  double best() const { return std::ranges::min(costs); }
  std::int64_t time(int candidate, Engine& engine) const {
    const double factor = std::lognormal_distribution(0.0, noise)(engine);
    const double other = uniform(engine, 0, 1) < busy ? 20'000 : 0;
    return static_cast<std::int64_t>(costs[static_cast<std::size_t>(candidate)] * factor + other);
  }
  std::vector<double> costs;
  double noise, busy;
};

constexpr double long_before = 1e9;  // ns, in which the program did other work

std::int64_t at_once(int) { return 0; }

/// Ranks that try candidates, each by its own clock, and the time of the calls.
class Job {
 public:
  Job(int candidates, int ranks, Cores cores = Cores::own, unsigned order = 1)
      : cores_(cores), trials_(static_cast<std::size_t>(ranks), Trial(candidates, cores, order)) {}

  /// One call, in which a rank takes time_of(rank, candidate) ns; its clock may run at any speed, and shows waiting for
  /// late ones. The next call starts after the slowest rank, and later_of(candidate) ns after that. Returns what ran.
  template <class TimeOf, class LaterOf = decltype(at_once)>
  int call(TimeOf time_of, LaterOf later_of = at_once) {
    if (trials_[0].is_evaluation_due()) evaluate();
    const auto now = static_cast<std::int64_t>(taken_);
    const int candidate = trials_[0].start(now);
    slowest_ = 0;
    for (std::size_t rank = 0; rank < trials_.size(); ++rank) {
      if (rank > 0) REQUIRE(trials_[rank].start(now) == candidate);
      const std::int64_t ns = time_of(static_cast<int>(rank), candidate);
      slowest_ = std::max(slowest_, ns);
      if (++calls_of_ranks_ % 101 != 0) trials_[rank].took(ns);  // a rank may leave a call by an exception
    }
    taken_ += static_cast<double>(slowest_ + later_of(candidate));
    return candidate;
  }
  int call_on(const Machine& machine, Engine& engine) {
    const int candidate = call([&](int, int ran) { return machine.time(ran, engine); });
    ideal_ += machine.best() / machine.costs[static_cast<std::size_t>(candidate)] * static_cast<double>(slowest_);
    return candidate;
  }
  const Trial& trial() const { return trials_[0]; }
  /// Time beyond that of the best candidate's calls, as a fraction of it.
  double regret() const { return taken_ / ideal_ - 1; }
  void works(double ns) { elapsed_ += ns; }
  int evaluations() const { return evaluations_; }

 private:
  void evaluate() {
    ++evaluations_;
    std::int64_t excess = 0;
    for (const Trial& trial : trials_) excess = std::max(excess, trial.excess());
    cost_ += excess;
    const Statement all = of_all();
    for (Trial& trial : trials_) trial.evaluate(all);
  }
  Statement of_all() const {
    const bool own = cores_ == Cores::own;
    std::array<std::int64_t, statement_words> all;
    all.fill(own ? std::numeric_limits<std::int64_t>::min() : 0);
    for (const Trial& rank : trials_) {
      REQUIRE(rank.is_evaluation_due());
      const auto words =
          std::bit_cast<decltype(all)>(rank.statement(cost_, static_cast<std::int64_t>(elapsed_ + taken_)));
      for (std::size_t i = 0; i < all.size(); ++i) all[i] = own ? std::max(all[i], words[i]) : all[i] + words[i];
    }
    return std::bit_cast<Statement>(all);
  }

  const Cores cores_;
  std::vector<Trial> trials_;
  double taken_ = 0, ideal_ = 0, elapsed_ = 0;
  std::int64_t cost_ = 0, slowest_ = 0, calls_of_ranks_ = 0;
  int evaluations_ = 0;
};

/// The winner of a trial in whose n-th call a rank takes time_of(rank, candidate, n) ns.
template <class TimeOf, class LaterOf = decltype(at_once)>
int winner_of(int candidates, int ranks, Cores cores, TimeOf time_of, LaterOf later_of = at_once, unsigned order = 1) {
  Job job(candidates, ranks, cores, order);
  job.works(long_before);
  for (int n = 0; !job.trial().over(); ++n)
    job.call([&](int rank, int candidate) { return time_of(rank, candidate, n); }, later_of);
  return job.trial().winner();
}

constexpr int samples = 200;

/// The number of so many such trials that candidate 1 wins.
template <class TimeOf>
int wins(int candidates, int ranks, Cores cores, TimeOf time_of) {
  int won = 0;
  for (int i = 0; i < samples; ++i) won += winner_of(candidates, ranks, cores, time_of) == 1;
  return won;
}

}  // namespace

TEST_CASE("a trial alone is over and costs nothing, and its winner runs") {
  Trial trial(1, Cores::own, 1);
  CHECK((trial.over() && trial.excess() == 0));
  CHECK_FALSE(trial.is_evaluation_due());
  CHECK(trial.start(0) == 0);
}

TEST_CASE("of 1000 machines trials find a candidate as fast as the best on 950 within 200 calls") {
  Engine engine(1);
  int found = 0;
  for (int machine = 0; machine < 1000; ++machine) {
    const Machine simulated(engine);
    Job job(static_cast<int>(simulated.costs.size()), 1 + machine % 8);
    job.works(long_before);
    const auto winner = [&] { return simulated.costs[static_cast<std::size_t>(job.trial().winner())]; };
    while (!job.trial().over() && job.trial().tried() <= usual_calls) job.call_on(simulated, engine);
    found += winner() <= 1.1 * simulated.best();
    while (!job.trial().over()) job.call_on(simulated, engine);
    REQUIRE(job.trial().tried() <= most_calls + 1);  // the one before which it is evaluated
    // a trial leaves what ran before only for candidates that are slower by no more than noise
    CHECK(winner() <= 1.05 * simulated.costs[0]);
  }
  INFO(found);
  CHECK(found >= 950);
}

TEST_CASE("over 10000 calls the mean regret is below 5 %") {
  Engine engine(2);
  double sum = 0;
  constexpr int machines = 100;
  for (int machine = 0; machine < machines; ++machine) {
    const Machine simulated(engine);
    Job job(static_cast<int>(simulated.costs.size()), 4);
    for (int call = 0; call < 10'000; ++call) job.call_on(simulated, engine);
    sum += job.regret();
  }
  INFO(sum / machines);
  CHECK(sum / machines < 0.05);
}

TEST_CASE("waiting for ranks that come late in turn does not hide what is faster") {
  Engine engine(4);
  Machine simulated(engine);
  simulated.costs = {1000, 400, 1500};
  const int found = wins(3, 2, Cores::own, [&](int rank, int candidate, int call) {
    return simulated.time(candidate, engine) + (call % 2 == rank ? 200'000 : 0);
  });
  CAPTURE(found);
  CHECK(found >= samples * 95 / 100);
}

TEST_CASE("where ranks share cores, calls that find all others waiting do not decide") {
  Engine engine(5);
  const std::array costs{1000.0, 500.0, 1500.0};
  const int found = wins(3, 8, Cores::shared, [&](int, int candidate, int) {
    const double last = uniform(engine, 0, 1) < 0.2 ? 10 : 1e9;
    const double turn = std::exponential_distribution(1 / costs[static_cast<std::size_t>(candidate)])(engine);
    return static_cast<std::int64_t>(std::min(turn, last));
  });
  CAPTURE(found);
  CHECK(found >= samples * 95 / 100);
}

TEST_CASE("a candidate whose calls are quick, but delay what follows them, does not win") {
  Engine engine(7);
  for (const Cores cores : {Cores::own, Cores::shared})
    for (const bool delays : {false, true}) {
      CAPTURE(delays);
      const int winner = winner_of(
          3, 4, cores,
          [&](int, int candidate, int) {
            return static_cast<std::int64_t>((candidate == 1 ? 500 : 1000) * uniform(engine, 0.9, 1.1));
          },
          [&](int candidate) { return candidate == 1 && delays ? 600 : 0; });
      CHECK(winner == (delays ? 0 : 1));
    }
}

TEST_CASE("what a program repeats in step with its calls does not decide") {
  const auto time_of = [](int, int, int call) { return std::int64_t{call % 4 == 0 || call % 4 == 3 ? 500 : 1000}; };
  int fooled = 0;
  for (unsigned order = 1; order <= samples; ++order)
    fooled += winner_of(2, 2, Cores::shared, time_of, at_once, order) != 0;
  CHECK(fooled <= samples / 20);
}

TEST_CASE("a trial whose best candidate is not sure of its lead goes on") {
  Engine engine(6);
  int longer = 0;
  const int found = wins(2, 4, Cores::shared, [&](int rank, int candidate, int call) {
    REQUIRE(call <= most_calls);  // the last one comes after the trial
    longer += rank == 0 && call == usual_calls + 1;
    return static_cast<std::int64_t>(std::exponential_distribution(candidate == 0 ? 1e-3 : 1.4e-3)(engine));
  });
  CAPTURE(longer, found);
  CHECK(longer > samples / 10);
  CHECK(found > samples / 2);
}

TEST_CASE("learning pauses where it has cost more than a hundredth of the time") {
  Engine engine(3);
  Machine simulated(engine);
  simulated.costs = {1000, 2900, 2900, 2900};
  simulated.noise = simulated.busy = 0;
  Job job(4, 2);
  int trials = 0;
  constexpr int calls = 1000;
  for (int call = 0; call < calls; ++call) trials += job.call_on(simulated, engine) != 0;
  CHECK_FALSE(job.trial().over());
  CHECK(trials < 20);               // the first stage
  CHECK(job.trial().tried() < 40);  // with those of candidate 0
  CHECK(job.evaluations() < 10);    // because pauses become longer
  job.works(long_before);
  for (int call = 0; call < 3 * calls; ++call) job.call_on(simulated, engine);
  CHECK(job.trial().over());
  CHECK(job.trial().winner() == 0);
}

TEST_CASE("no times are no figures") {
  for (const auto estimate : {quick_eighth, trimmed_mean}) {
    const Figures none = estimate({});
    CHECK((none.time == 0 && none.low == 0 && none.high == 0));
  }
}

TEST_CASE("hopeless candidates run no more often than four times") {
  Engine engine(4);
  Machine simulated(engine);
  simulated.costs = {1000, 50'000, 900, 800};
  simulated.noise = 0.05, simulated.busy = 0;
  Job job(4, 3);
  job.works(long_before);
  int hopeless = 0;
  while (!job.trial().over()) hopeless += job.call_on(simulated, engine) == 1;
  CHECK(hopeless == 4);
  CHECK(job.trial().winner() == 3);
  CHECK(job.trial().gain() > 1.15);
}

}  // namespace mpigraft::learning
