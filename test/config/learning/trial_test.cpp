// SPDX-License-Identifier: MIT
#include "config/learning/trial.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <catch2/catch.hpp>
#include <random>
#include <span>
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

/// The statement of all ranks; `cost` and `elapsed` are each rank's, in ns.
Statement of_all(const std::vector<Trial>& ranks, Cores cores, std::int64_t cost, double elapsed) {
  using Words = std::array<std::int64_t, statement_words>;
  const auto words_of = [&](const Trial& rank) {
    REQUIRE(rank.is_evaluation_due());
    return std::bit_cast<Words>(rank.statement(cost, static_cast<std::int64_t>(elapsed)));
  };
  Words all = words_of(ranks[0]);
  for (const Trial& rank : std::span(ranks).subspan(1)) {
    const Words words = words_of(rank);
    for (std::size_t i = 0; i < all.size(); ++i)
      all[i] = cores == Cores::own ? std::max(all[i], words[i]) : all[i] + words[i];
  }
  return std::bit_cast<Statement>(all);
}

/// Ranks that try candidates, each by its own clock, and the time of the calls.
class Job {
 public:
  Job(int candidates, int ranks) : trials_(static_cast<std::size_t>(ranks), Trial(candidates, Cores::own, 1)) {}

  /// One call; a rank's clock may run at any speed, and shows waiting for late ones. Returns what ran.
  int call(const Machine& machine, Engine& engine) {
    if (trials_[0].is_evaluation_due()) evaluate();
    const auto now = static_cast<std::int64_t>(taken_);
    const int candidate = trials_[0].start(now);
    std::int64_t slowest = 0;
    for (Trial& trial : trials_) {
      if (&trial != &trials_[0]) REQUIRE(trial.start(now) == candidate);
      const std::int64_t ns = machine.time(candidate, engine);
      slowest = std::max(slowest, ns);
      if (engine() % 100 != 0) trial.took(ns);  // a rank may leave a call by an exception
    }
    taken_ += static_cast<double>(slowest);
    ideal_ += machine.best() / machine.costs[static_cast<std::size_t>(candidate)] * static_cast<double>(slowest);
    return candidate;
  }
  const Trial& trial() const { return trials_[0]; }
  /// Time beyond that of the best candidate's calls, as a fraction of it.
  double regret() const { return taken_ / ideal_ - 1; }
  void works(double ns) { elapsed_ += ns; }

 private:
  void evaluate() {
    std::int64_t excess = 0;
    for (const Trial& trial : trials_) excess = std::max(excess, trial.excess());
    cost_ += excess;
    const Statement all = of_all(trials_, Cores::own, cost_, elapsed_ + taken_);
    for (Trial& trial : trials_) trial.evaluate(all);
  }

  std::vector<Trial> trials_;
  double taken_ = 0, ideal_ = 0, elapsed_ = 0;
  std::int64_t cost_ = 0;
};

constexpr double long_before = 1e9;  // ns, in which the program did other work

/// The winner of a trial among so many ranks, in whose call a rank takes time_of(rank, candidate, call) ns. The next
/// call starts after the slowest rank, and later_of(candidate) ns after that.
template <class TimeOf, class LaterOf>
int winner_of(int candidates, int ranks, Cores cores, TimeOf time_of, LaterOf later_of, unsigned order = 1) {
  std::vector<Trial> trials(static_cast<std::size_t>(ranks), Trial(candidates, cores, order));
  std::int64_t now = 0;
  for (int call = 0; !trials[0].over(); ++call) {
    if (trials[0].is_evaluation_due()) {
      const Statement all = of_all(trials, cores, 0, long_before);
      for (Trial& trial : trials) trial.evaluate(all);
      if (trials[0].over()) break;
    }
    std::int64_t slowest = 0, later = 0;
    for (int rank = 0; rank < ranks; ++rank) {
      Trial& trial = trials[static_cast<std::size_t>(rank)];
      const int candidate = trial.start(now);
      const std::int64_t took = time_of(rank, candidate, call);
      trial.took(took);
      slowest = std::max(slowest, took);
      later = later_of(candidate);
    }
    now += slowest + later;
  }
  return trials[0].winner();
}

std::int64_t at_once(int) { return 0; }

}  // namespace

TEST_CASE("a trial alone is over, and its winner runs") {
  Trial trial(1, Cores::own, 1);
  CHECK(trial.over());
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
    while (!job.trial().over() && job.trial().calls() <= usual_calls) job.call(simulated, engine);
    found += winner() <= 1.1 * simulated.best();
    while (!job.trial().over()) job.call(simulated, engine);
    REQUIRE(job.trial().calls() <= most_calls + 1);  // the one before which it is evaluated
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
    for (int call = 0; call < 10'000; ++call) job.call(simulated, engine);
    sum += job.regret();
  }
  INFO(sum / machines);
  CHECK(sum / machines < 0.05);
}

TEST_CASE("waiting for ranks that come late in turn does not hide what is faster") {
  Engine engine(4);
  Machine simulated(engine);
  simulated.costs = {1000, 400, 1500};
  int found = 0;
  constexpr int machines = 200;
  for (int machine = 0; machine < machines; ++machine)
    found += winner_of(
                 3, 2, Cores::own,
                 [&](int rank, int candidate, int call) {
                   return simulated.time(candidate, engine) + (call % 2 == rank ? 200'000 : 0);
                 },
                 at_once) == 1;
  CAPTURE(found);
  CHECK(found >= machines * 95 / 100);
}

TEST_CASE("where ranks share cores, calls that find all others waiting do not decide") {
  Engine engine(5);
  const std::array costs{1000.0, 500.0, 1500.0};
  int found = 0;
  constexpr int machines = 200;
  for (int machine = 0; machine < machines; ++machine)
    found += winner_of(
                 3, 8, Cores::shared,
                 [&](int, int candidate, int) {
                   const double last = uniform(engine, 0, 1) < 0.2 ? 10 : 1e9;
                   const double turn =
                       std::exponential_distribution(1 / costs[static_cast<std::size_t>(candidate)])(engine);
                   return static_cast<std::int64_t>(std::min(turn, last));
                 },
                 at_once) == 1;
  CAPTURE(found);
  CHECK(found >= machines * 95 / 100);
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
  int fooled = 0;
  constexpr int orders = 200;
  for (int order = 1; order <= orders; ++order)
    fooled += winner_of(
                  2, 2, Cores::shared,
                  [](int, int, int call) { return std::int64_t{call % 4 == 0 || call % 4 == 3 ? 500 : 1000}; }, at_once,
                  order) != 0;
  CHECK(fooled <= orders / 20);
}

TEST_CASE("a trial whose best candidate is not sure of its lead goes on") {
  Engine engine(6);
  int longer = 0, found = 0;
  constexpr int machines = 200;
  for (int machine = 0; machine < machines; ++machine) {
    int calls = 0;
    found +=
        winner_of(
            2, 4, Cores::shared,
            [&](int, int candidate, int call) {
              calls = call + 1;
              return static_cast<std::int64_t>(std::exponential_distribution(candidate == 0 ? 1e-3 : 1.4e-3)(engine));
            },
            at_once) == 1;
    REQUIRE(calls <= most_calls);
    longer += calls > usual_calls;
  }
  CAPTURE(longer, found);
  CHECK(longer > machines / 10);
  CHECK(found > machines / 2);
}

TEST_CASE("learning pauses where it has cost more than a hundredth of the time") {
  Engine engine(3);
  Machine simulated(engine);
  simulated.costs = {1000, 2900, 2900, 2900};
  simulated.noise = simulated.busy = 0;
  Job job(4, 2);
  int trials = 0;
  constexpr int calls = 1000;
  for (int call = 0; call < calls; ++call) trials += job.call(simulated, engine) != 0;
  CHECK_FALSE(job.trial().over());
  CHECK(trials < 20);  // the first stage
  job.works(long_before);
  for (int call = 0; call < 3 * calls; ++call) job.call(simulated, engine);
  CHECK(job.trial().over());
  CHECK(job.trial().winner() == 0);
}

TEST_CASE("no times are no figures, and a trial of one candidate costs nothing") {
  for (const auto estimate : {quick_eighth, trimmed_mean}) {
    const Figures none = estimate({});
    CHECK((none.time == 0 && none.low == 0 && none.high == 0));
  }
  const Trial one(1, Cores::own, 1);
  CHECK((one.over() && one.excess() == 0));
}

TEST_CASE("hopeless candidates run no more often than four times") {
  Engine engine(4);
  Machine simulated(engine);
  simulated.costs = {1000, 50'000, 900, 800};
  simulated.noise = 0.05, simulated.busy = 0;
  Job job(4, 3);
  job.works(long_before);
  int hopeless = 0;
  while (!job.trial().over()) hopeless += job.call(simulated, engine) == 1;
  CHECK(hopeless == 4);
  CHECK(job.trial().winner() == 3);
  CHECK(job.trial().gain() > 1.15);
}

}  // namespace mpigraft::learning
