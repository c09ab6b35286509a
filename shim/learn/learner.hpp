// SPDX-License-Identifier: MIT
// MPIGRAFT_LEARN on one communicator: selects the calls to learn from, and lets its ranks evaluate the candidates.
#pragma once

#include <atomic>

#include "config/learning/trials.hpp"
#include "shim/agree/negotiation.hpp"
#include "shim/execute/decision.hpp"

namespace mpigraft::learn {

/// Most communicators of a process that learn at the same time. Each takes about 170 KB.
inline constexpr int most_learners = 32;

/// True if this process is asked to learn; false also if it lacks the memory to find out.
bool asks_to_learn();

/// From now on learning may take all of the time, as in a job that is made for it. Equal on all ranks.
void learn_at_any_cost();

class Learner {
 public:
  Learner() { ++alive_; }
  ~Learner() { --alive_; }
  Learner(const Learner&) = delete;
  Learner& operator=(const Learner&) = delete;

  const learning::Trials& trials() const { return trials_; }

  static int in_process() { return alive_; }

  /// The trial for calls like this one, for which the table has made `decision`. Null if there is none, because a
  /// setting or an earlier job has decided, or there is no room. A call that `blocks` begins a new one, which is
  /// collective.
  learning::Entry* trial_for(const agree::Negotiated& agreed, execute::TransportState& transport, const abi::Call& call,
                             const execute::Decision& decision, bool blocks);

  /// Exchanges the ranks' statements and evaluates the trial by them. A native collective.
  static void evaluate(const agree::Negotiated& agreed, learning::Entry& entry);

 private:
  static inline std::atomic<int> alive_{0};
  learning::Trials trials_;
};

/// Adds the rules of the communicators in which this process is rank 0 to the file of MPIGRAFT_LEARN. At rank 0 of the
/// job, says so if nothing was learned. Called when MPI_Finalize begins; acts once.
void write_learned(bool first_of_job);

}  // namespace mpigraft::learn
