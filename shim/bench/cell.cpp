// SPDX-License-Identifier: MIT
#include "shim/bench/cell.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "shim/base/clock.hpp"
#include "shim/wait/backoff.hpp"

namespace mpigraft::bench {
namespace {

constexpr int warm_ups = 3;
constexpr double tiny_us = 10;   // shorter calls are timed in batches, whose barrier and clock then weigh less
constexpr double batch_us = 50;  // about as long as a batch
constexpr double shortest_us = 0.05;
constexpr double row_us = 100'000;  // about as long as calls back to back take
constexpr double shortest_row = 10, longest_row = 1000;
constexpr int trial_row = 20;

double now_us() { return static_cast<double>(base::now_ns()) / 1000; }

class CellRun {
 public:
  CellRun(const Problem& problem, const std::vector<Arm>& arms, const Limits& limits, Ranks& ranks,
          std::mt19937_64& shuffler)
      : problem_(problem),
        limits_(limits),
        ranks_(ranks),
        shuffler_(shuffler),
        buffers_(problem, ranks.rank()),
        calls_(limits.back_to_back ? trial_row : 1) {
    std::ranges::copy_if(arms, std::back_inserter(arms_), [&](const Arm& arm) { return arm.can_run(problem); });
    order_.resize(arms_.size());
    std::iota(order_.begin(), order_.end(), 0);
  }

  Cell operator()() {
    Cell cell{.problem = problem_, .arms = compare_results()};
    cell.calls = calls_ = batch();
    cell.repetitions = repeat();
    ranks_.collect_maxima(times_);
    if (ranks_.rank() == 0) evaluate(cell);
    return cell;
  }

 private:
  std::vector<Measured> compare_results() {
    buffers_.expect_native_result();
    std::vector<Measured> measured;
    for (const Arm& arm : arms_) {
      ranks_.barrier();
      const Ran ran = what_runs(arm, problem_, buffers_);  // this also lets nonblocking calls be grafted
      const bool right = buffers_.gives_expected(arm.form, arm.comm());
      const auto differing_rank_plus_1 = ranks_.barrier(right ? 0 : ranks_.rank() + 1);
      measured.push_back({.arm = arm.name, .ran = ran, .differing_rank = static_cast<int>(differing_rank_plus_1 - 1)});
    }
    return measured;
  }

  double time_call(const Arm& arm) {
    ranks_.barrier();
    if (arm.is_native()) wait::leave_waits_to_mpi();
    const double start = now_us();
    for (int i = 0; i < calls_; ++i) buffers_.call(arm.form, arm.comm());
    const double taken = now_us() - start;
    wait::back_off_in_mpi();
    return taken / calls_;
  }

  /// Warms up, and finds how many calls make a batch. The number is the same for all arms, so the slowest decides.
  int batch() {
    std::vector<double> fastest(arms_.size(), std::numeric_limits<double>::max());
    for (int i = 0; i < warm_ups; ++i)
      for (std::size_t arm = 0; arm < arms_.size(); ++arm) fastest[arm] = std::min(fastest[arm], time_call(arms_[arm]));
    const double mine_us = wait::oversubscribed() && !limits_.back_to_back ? tiny_us : std::ranges::max(fastest);
    const double slowest_us = static_cast<double>(ranks_.barrier(std::llround(mine_us * 1000))) / 1000;
    const double most = (limits_.back_to_back ? row_us : batch_us) / std::max(slowest_us, shortest_us);
    if (limits_.back_to_back) return static_cast<int>(std::clamp(most, shortest_row, longest_row));
    return slowest_us < tiny_us ? static_cast<int>(most) : 1;
  }

  /// Times every arm once, in random order.
  void sweep() {
    std::ranges::shuffle(order_, shuffler_);
    const std::size_t first = times_.size();
    times_.resize(first + arms_.size());
    for (const std::size_t arm : order_) times_[first + arm] = time_call(arms_[arm]);
  }

  /// Sweeps until rank 0 has seen enough; returns how many.
  std::size_t repeat() {
    const double end = now_us() + limits_.seconds * 1e6;
    for (std::size_t done = 1;; ++done) {
      sweep();
      const bool enough = done >= limits_.most || (done >= limits_.least && now_us() >= end);
      if (ranks_.barrier(ranks_.rank() == 0 && enough)) return done;
    }
  }

  void evaluate(Cell& cell) {
    for (std::size_t arm = 0; arm < arms_.size(); ++arm) {
      std::vector<double> times;
      for (std::size_t i = arm; i < times_.size(); i += arms_.size()) times.push_back(times_[i]);
      cell.arms[arm].us = summarize(std::move(times));
    }
    const Summary& native = cell.arms[0].us;
    for (Measured& arm : cell.arms) {
      arm.ratio = native.median / arm.us.median;
      arm.verdict = judge(arm.us, native, cell.null().us);
    }
  }

  const Problem problem_;
  const Limits& limits_;
  Ranks& ranks_;
  std::mt19937_64& shuffler_;
  Buffers buffers_;
  std::vector<Arm> arms_;
  std::vector<std::size_t> order_;
  int calls_;
  std::vector<double> times_;  // of this rank, later of the slowest; sweep by sweep, arm by arm
};

}  // namespace

bool Cell::agrees() const { return std::ranges::all_of(arms, &Measured::agrees); }

Cell measure(const Problem& problem, const std::vector<Arm>& arms, const Limits& limits, Ranks& ranks,
             std::mt19937_64& shuffler) {
  return CellRun(problem, arms, limits, ranks, shuffler)();
}

}  // namespace mpigraft::bench
