// SPDX-License-Identifier: MIT
// MPIGRAFT_LEARN on one communicator: which calls are learned of, and the words of its ranks about them.
#pragma once

#include <atomic>
#include <cstdint>

#include "config/learning/races.hpp"
#include "shim/agree/agreement.hpp"
#include "shim/operation/decision.hpp"

namespace mpigraft::learn {

/// Communicators of a process that learn at the same time, at most: each has some 80 KB for it.
inline constexpr int most_learners = 32;

/// Whether this process is asked to; false, too, where memory is too short to know.
bool asks_to_learn();

class Learner {
 public:
  Learner() { ++alive_; }
  ~Learner() { --alive_; }
  Learner(const Learner&) = delete;
  Learner& operator=(const Learner&) = delete;

  static int in_process() { return alive_; }

  /// The race for calls like this one, for which the table has decided so. Null where there is no race: a setting or an
  /// earlier job has decided, the bits of a result could change, or there is no room. Collective where it is a new one.
  learning::Entry* race_for(const agree::Agreement& agreed, operation::Traffic& traffic, const abi::Call& call,
                            const operation::Decision& decision);

  /// Lets the ranks tell each other how long their calls took. Collective, native.
  static void judge(const agree::Agreement& agreed, learning::Entry& entry);

 private:
  learning::Entry& begin(const agree::Agreement& agreed, const operation::Traffic& traffic, const abi::Call& call,
                         const operation::Decision& decision, const table::Query& query);

  static inline std::atomic<int> alive_{0};
  learning::Races races_;
};

/// Adds what communicators of which this process is rank 0 have learned to the file of MPIGRAFT_LEARN, or tells, at
/// rank 0 of the job, that there is nothing. At most once; called when MPI_Finalize begins.
void write_learned(bool first_of_job);

}  // namespace mpigraft::learn
