// SPDX-License-Identifier: MIT
// MPIGRAFT_LEARN: which of some candidates is fastest for calls alike, found while a job makes them. By successive
// halving (Karnin, Koren, Somekh 2013): all are tried briefly, the better half again, and so on.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "config/learning/figures.hpp"

namespace mpigraft::learning {

inline constexpr int most_candidates = 6;
inline constexpr int usual_calls = 200;  // of a race that never pauses
inline constexpr int most_calls = 400;   // of one in which the best of all is not sure of its lead by then

/// Whether each rank has a core of its own.
enum class Cores { own, shared };

/// One rank's figures. Those of all ranks together are the word-by-word maximum where ranks have cores of their own
/// (the slowest rank's time counts), and the sum where they share cores (each rank's time is taken from the others).
struct Statement {
  std::array<Figures, most_candidates> of = {};
  std::int64_t cost = 0;           // of learning, since the program started, in ns
  std::int64_t minus_elapsed = 0;  // since then
};
inline constexpr int statement_words = sizeof(Statement) / sizeof(std::int64_t);

/// A race of candidates for calls alike on one communicator; number 0 is what ran before. All ranks make these calls,
/// and which candidate one runs depends on its number and on the statements of all ranks alone, so it is the same on
/// all. A rank's own times enter into nothing but its statements. Needs no memory but its own.
class Race {
 public:
  /// REQUIRES: 1 to most_candidates.
  Race(int candidates, Cores cores);

  /// Before the next call, the ranks must tell each other.
  bool is_to_be_judged() const { return !over_ && call_ == phase_calls(); }
  /// Time in ns that this rank's calls of this stage took beyond that of as many calls of what ran before.
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
  /// The time of what ran before over the winner's, once the race is over; 1 where nothing was better.
  double gain() const { return gain_; }
  std::int64_t calls() const { return calls_; }

 private:
  static constexpr std::size_t room = 288;  // for samples, which the candidates that are left share

  int phase_calls() const;
  int next_place() const;
  std::size_t samples_each() const { return room / static_cast<std::size_t>(alive_count_); }
  Figures figures_of(int place) const;
  int best_of(const Statement& of_all) const;
  void drop_hopeless(const Statement& of_all);
  void keep_best(const Statement& of_all, int most);
  template <class Drops>
  void drop(Drops drops);
  void decide(const Statement& of_all);

  std::array<int, most_candidates> alive_{};  // the first alive_count_; 0 is always among them
  int alive_count_;
  std::array<std::int64_t, room> samples_;      // of this stage, in ns; those of each place in alive_ side by side
  std::array<int, most_candidates> sampled_{};  // so many, by place
  int candidates_;
  Cores cores_;
  int stage_ = 0;
  int call_ = 0;      // of this stage, or of this pause
  int pause_ = 0;     // calls of candidate 0 until learning may cost again; 0: none
  int started_ = -1;  // the place in alive_ of the candidate whose time counts
  bool over_;
  int winner_ = 0;
  double gain_ = 1;
  std::int64_t calls_ = 0;
};

}  // namespace mpigraft::learning
