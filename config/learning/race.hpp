// SPDX-License-Identifier: MIT
// MPIGRAFT_LEARN: which of some candidates is fastest for calls alike, found while a job makes them. By successive
// halving (Karnin, Koren, Somekh 2013): all are tried briefly, the better half again, and so on.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace mpigraft::learning {

inline constexpr int most_candidates = 6;
inline constexpr int most_calls = 200;  // a race that never pauses takes no more

/// The figures that the ranks tell each other; the maximum over ranks is the statement of all. Times in ns.
struct Statement {
  struct Figures {
    std::int64_t quick = 0, low = 0, high = 0;  // the lowest eighth of this stage's calls, and its 84 % interval
  };
  std::array<Figures, most_candidates> of = {};
  std::int64_t cost = 0;           // of learning, since the program started
  std::int64_t minus_elapsed = 0;  // since then
};
inline constexpr int statement_words = sizeof(Statement) / sizeof(std::int64_t);

/// A race of candidates for calls alike on one communicator; number 0 is what ran before. All ranks make these calls,
/// and which candidate one runs depends on its number and on the statements of all ranks alone, so it is the same on
/// all. A rank's own times enter into nothing but its statements. Needs no memory but its own.
class Race {
 public:
  /// REQUIRES: 1 to most_candidates.
  explicit Race(int candidates);

  /// Before the next call, the ranks must tell each other.
  bool is_to_be_judged() const { return !over_ && call_ == phase_calls(); }
  /// By how much this rank's calls of this stage took longer than what ran before would have, by the quick ones, in ns.
  std::int64_t excess() const;
  /// This rank's part; `cost` and `elapsed` are the process's.
  Statement statement(std::int64_t cost, std::int64_t elapsed) const;
  void judge(const Statement& of_all);

  /// The candidate that the next call runs, which counts from now on, however it ends. REQUIRES: nothing to judge.
  int start();
  /// The call that was started is over, and took so long on this rank, in ns.
  void took(std::int64_t ns);

  bool over() const { return over_; }
  int winner() const { return winner_; }
  /// The quick calls of what ran before over the winner's, once it is over; 1 where nothing was better.
  double gain() const { return gain_; }
  std::int64_t calls() const { return calls_; }

 private:
  static constexpr int most_samples = 48;
  /// Times of a candidate's calls.
  struct Samples {
    std::array<std::int64_t, most_samples> ns;
    int count = 0;
  };

  int phase_calls() const;
  int next() const;
  Statement::Figures figures_of(int candidate) const;
  void drop_hopeless(const Statement& of_all);
  void keep_best(const Statement& of_all, int most);
  template <class Drops>
  void drop(Drops drops);
  void decide(const Statement& of_all);

  std::array<int, most_candidates> alive_{};  // the first alive_count_; 0 is always among them
  int alive_count_;
  std::array<Samples, most_candidates> samples_;  // by candidate, of this stage
  int candidates_;
  int stage_ = 0;
  int call_ = 0;      // of this stage, or of this pause
  int pause_ = 0;     // calls of candidate 0 until learning may cost again; 0: none
  int started_ = -1;  // the candidate whose time counts
  bool over_;
  int winner_ = 0;
  double gain_ = 1;
  std::int64_t calls_ = 0;
};

}  // namespace mpigraft::learning
