// SPDX-License-Identifier: MIT
#include "shim/bench/mixed.hpp"

#include <algorithm>
#include <cstdio>
#include <deque>
#include <random>

#include "algorithms/parts.hpp"
#include "config/learning/trial.hpp"
#include "shim/base/clock.hpp"
#include "shim/bench/output.hpp"
#include "shim/entry/communicator.hpp"

namespace mpigraft::bench {
namespace {

constexpr int most_in_a_row = 7;
constexpr int rarely = 8;  // a rank comes late to one call of so many
constexpr std::int64_t latest_ns = 50'000;
constexpr std::size_t most_times = 4096;  // that are kept
constexpr std::size_t most_in_a_sequence = 8;
constexpr int passes = 4;  // of a sequence

/// A rank's own work.
void work_for(std::int64_t ns) {
  const std::int64_t end = base::now_ns() + ns;
  while (base::now_ns() < end) continue;
}

/// The last times on this rank, in ns.
struct Times {
  void keep(std::int64_t ns) {
    if (kept.size() < most_times)
      kept.push_back(ns);
    else
      kept[static_cast<std::size_t>(made) % most_times] = ns;
    ++made;
  }

  /// The mean of the slowest rank in us. Collective.
  double us(Ranks& ranks) {
    std::vector<double> mean{static_cast<double>(learning::trimmed_mean(kept).time) / 1000};
    ranks.collect_maxima(mean);
    return mean[0];
  }

  std::int64_t made = 0;
  std::vector<std::int64_t> kept = {};
};

struct Calls {
  Calls(std::size_t number, const Problem& kind, int rank) : index(number), problem(kind), buffers(kind, rank) {}

  std::size_t index;  // among the problems asked for
  Problem problem;
  Buffers buffers;
  Times times = {};
};

/// Kinds of calls of neighbouring sizes, each made once a pass.
struct Sequence {
  std::vector<Calls*> calls;
  Times times = {};  // of a pass
};

class Job {
 public:
  Job(const Options& options, Ranks& ranks)
      : ranks_(ranks), begin_(base::now_ns()), end_(begin_ + static_cast<std::int64_t>(options.limits.seconds * 1e9)) {
    for (const Problem& problem : options.problems) calls_.emplace_back(calls_.size(), problem, ranks.rank());
    for (Calls& one : calls_) order_.push_back(&one);
    set_sequences(order_);
  }

  void run() {
    do {
      std::ranges::shuffle(order_, random_);
      for (Calls* const one : order_) make_some(*one);
      if (!trials())
        for (Sequence& one : sequences_) make(one);
      tell_progress();
    } while (!ranks_.barrier(ranks_.rank() == 0 && base::now_ns() >= end_) && !is_learned());
  }

  /// False if a call's result is not native's, bit for bit.
  bool agrees(Calls& one) {
    one.buffers.expect_native_result();
    return !ranks_.barrier(!one.buffers.gives_expected(plain_form, MPI_COMM_WORLD));
  }

  /// Collective.
  void add_to(nlohmann::ordered_json& document) {
    document["time"] = static_cast<double>(base::now_ns() - begin_) / 1e9;
    document["learns"] = trials() != nullptr;
    document["decided"] = trials() ? decided() : 0;
    document["trials"] = trials() ? trials()->count() : 0;
    auto& calls = document["calls"] = nlohmann::ordered_json::array();
    for (Calls& one : calls_) {
      const double us = one.times.us(ranks_);
      const Ran ran = what_runs({"default", plain_form}, one.problem, one.buffers);
      calls.push_back({{"collective", one.problem.name()},
                       {"bytes", one.problem.bytes()},
                       {"op", one.problem.kind.op},
                       {"ran", ran.algorithm},
                       {"calls", one.times.made},
                       {"us", us},
                       {"agrees", agrees(one)}});
    }
    auto& sequences = document["sequences"] = nlohmann::ordered_json::array();
    for (Sequence& sequence : sequences_) {
      if (sequence.times.kept.empty()) continue;  // the job learned
      std::vector<std::size_t> indices;
      for (const Calls* const one : sequence.calls) indices.push_back(one->index);
      std::ranges::sort(indices);
      sequences.push_back({{"calls", indices}, {"us", sequence.times.us(ranks_)}});
    }
  }

 private:
  /// Each sequence gets as many of the kinds, in the order of their sizes.
  void set_sequences(std::vector<Calls*> by_size) {
    std::ranges::stable_sort(by_size, {}, [](const Calls* one) { return one->problem.bytes(); });
    const auto count = static_cast<int>((by_size.size() + most_in_a_sequence - 1) / most_in_a_sequence);
    const Parts parts = even_parts(std::ssize(by_size), count);
    for (int i = 0; i < count; ++i) {
      const auto first = by_size.begin() + parts.first(i);
      sequences_.push_back({{first, first + parts.count(i)}});
    }
  }

  /// Rows of calls of a kind, as programs make them, show what a call leaves undone for the next one. The ranks meet
  /// before a row, so that no kind of call pays for another.
  void make_some(Calls& one) {
    const int row = 1 + static_cast<int>(random_() % most_in_a_row);
    ranks_.barrier();
    for (int i = 0; i < row; ++i) {
      const bool comes_late = random_() % rarely == 0;
      const auto late = static_cast<int>(random_() % static_cast<unsigned>(ranks_.size()));
      const auto by_ns = static_cast<std::int64_t>(random_() % latest_ns);  // drawn alike on all ranks
      if (comes_late && late == ranks_.rank()) work_for(by_ns);
      const std::int64_t begin = base::now_ns();
      one.buffers.call(plain_form, MPI_COMM_WORLD);
      one.times.keep(base::now_ns() - begin);
    }
  }

  /// Single calls in changing order, without a meeting before the last one has ended on all ranks, show what a call
  /// costs those of other kinds behind it.
  void make(Sequence& sequence) {
    ranks_.barrier();
    const std::int64_t begin = base::now_ns();
    for (int pass = 0; pass < passes; ++pass) {
      std::ranges::shuffle(sequence.calls, random_);
      for (Calls* const one : sequence.calls) one->buffers.call(plain_form, MPI_COMM_WORLD);
    }
    ranks_.barrier();
    sequence.times.keep((base::now_ns() - begin) / passes);
  }

  /// The trials; null: this job does not learn. Equal on all ranks.
  static const learning::Trials* trials() {
    const entry::Communicator* const world = entry::communicator_of(abi::comm_world);
    return world && world->learner ? &world->learner->trials() : nullptr;
  }

  static int decided() {
    int over = 0;
    for (int i = 0; i < trials()->count(); ++i) over += trials()->at(i).trial.over();
    return over;
  }

  static bool is_learned() { return trials() && decided() == trials()->count(); }

  void tell_progress() {
    if (!trials() || ranks_.rank() != 0 || decided() == told_) return;
    told_ = decided();
    std::printf("{\"decided\": %d, \"of\": %d}\n", told_, trials()->count());
    std::fflush(stdout);
  }

  Ranks& ranks_;
  std::mt19937_64 random_;          // the same on all ranks
  const std::int64_t begin_, end_;  // end_ is rank 0's
  std::deque<Calls> calls_;
  std::vector<Calls*> order_;
  std::vector<Sequence> sequences_;
  int told_ = -1;
};

}  // namespace

int make_mixed_calls(const Options& options, Ranks& ranks, nlohmann::ordered_json document) {
  learn::learn_at_any_cost();
  Job job(options, ranks);
  job.run();
  job.add_to(document);
  const bool right = std::ranges::all_of(document["calls"], [](const auto& one) { return one["agrees"] == true; });
  if (ranks.rank() == 0) std::printf("%s\n", text_of(document).c_str());
  return right ? exit_ok : exit_wrong_results;
}

}  // namespace mpigraft::bench
