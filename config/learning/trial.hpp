// SPDX-License-Identifier: MIT
// Finds the fastest of some candidates for similar calls while a job makes them (MPIGRAFT_LEARN), by successive halving
// (Karnin, Koren, Somekh 2013): all are tried briefly, the better half longer, and so on.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>

namespace mpigraft::learning {

inline constexpr int most_candidates = 6;
inline constexpr int usual_calls = 200;  // of a trial that does not pause
inline constexpr int most_calls = 400;   // of a trial in which the lead of the best candidate is not sure by then

/// An estimate of a call's time and the 84 % interval around it, in ns. Two such intervals that do not overlap belong
/// to values that differ, except in one case of twenty.
struct Figures {
  std::int64_t time = 0, low = 0, high = 0;
};

/// The upper end of the quickest eighth of the times, for ranks with cores of their own. A call's time includes the
/// wait for ranks that come late, perhaps in more than half of the calls; the quick calls show what the candidate
/// takes. Sorts `times`, in ns. All zeros if there are none.
Figures quick_eighth(std::span<std::int64_t> times);

/// The mean without the slowest eighth, for ranks that share cores. There a call is quick if all other ranks were
/// already waiting, whichever candidate runs; the usual time is what the candidate costs the program. Sorts and changes
/// `times`, in ns. All zeros if there are none.
Figures trimmed_mean(std::span<std::int64_t> times);

/// Says whether each rank has a core of its own.
enum class Cores { own, shared };

/// One rank's figures. The statement of all ranks is the word-by-word maximum if ranks have cores of their own (the
/// slowest rank's time counts), and the sum if they share cores (each rank takes time from the others).
struct Statement {
  std::array<Figures, most_candidates> of = {};            // times of calls
  std::array<std::int64_t, most_candidates> periods = {};  // from a call to the next one, in ns
  std::int64_t cost = 0;                                   // of learning, since the program started, in ns
  std::int64_t minus_elapsed = 0;                          // since then
};
inline constexpr int statement_words = sizeof(Statement) / sizeof(std::int64_t);

/// The trial of candidates for similar calls on one communicator. Candidate 0 is what ran before. The candidate that a
/// call runs depends only on the number of the call and on the statements of all ranks, so it is the same on all ranks.
/// A rank's own times enter only its statements. A trial allocates no memory.
///
/// A call can be quick because what it leaves undone delays the calls after it: an allreduce that leaves the ranks far
/// apart, a broadcast whose root leaves early. So the winner must also shorten the period from a call to the next one;
/// the quickest eighth of the periods shows what differs between candidates, with or without cores of their own.
class Trial {
 public:
  /// `order` selects the order of the candidates; trials whose calls alternate need different ones, so that neither
  /// measures the other's candidates. REQUIRES: 1 to most_candidates.
  Trial(int candidates, Cores cores, unsigned order);

  /// True if the ranks must exchange their statements before the next call.
  bool is_evaluation_due() const { return !over_ && call_ == phase_calls(); }
  /// Time in ns that this rank's calls of this stage took beyond that of as many calls of what ran before.
  std::int64_t excess() const;
  /// This rank's statement; `cost` and `elapsed` are those of the process, in ns.
  Statement statement(std::int64_t cost, std::int64_t elapsed) const;
  void evaluate(const Statement& of_all);

  /// Counts the next call, which starts `now`, however it ends, and returns the candidate that it runs.
  /// REQUIRES: !is_evaluation_due().
  int start(std::int64_t now);
  /// Ends the call that was started, which took this rank `ns`.
  void took(std::int64_t ns);

  bool over() const { return over_; }
  int winner() const { return winner_; }
  /// The time of what ran before over the winner's, once the trial is over; 1 where nothing was better.
  double gain() const { return gain_; }
  /// Calls so far, but for those in pauses.
  std::int64_t tried() const { return tried_; }

 private:
  static constexpr std::size_t room = 288;  // for samples; the candidates that are left share it

  /// Times of one stage, in ns, grouped by place in alive_.
  struct Samples {
    std::array<std::int64_t, room> times;
    std::array<int, most_candidates> count{};
  };

  int phase_calls() const;
  int next_place();
  void add(Samples& samples, int place, std::int64_t ns) const;
  Figures estimate(const Samples& samples, int place, Figures (*by)(std::span<std::int64_t>)) const;
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
  std::array<int, most_candidates> order_{};  // of the places in a sweep
  std::minstd_rand random_;
  Samples times_, periods_;
  int candidates_;
  Cores cores_;
  int stage_ = 0;
  int call_ = 0;      // of this stage, or of this pause
  int pause_ = 0;     // calls of candidate 0 until the trial may go on; 0: no pause
  int started_ = -1;  // the place in alive_ of the candidate whose time counts
  int last_ = -1;     // the place of the candidate whose period counts, which began at began_
  std::int64_t began_ = 0;
  bool over_;
  int winner_ = 0;
  double gain_ = 1;
  std::int64_t calls_ = 0;  // with those in pauses, so that each pause is longer than the one before
  std::int64_t tried_ = 0;
};

}  // namespace mpigraft::learning
