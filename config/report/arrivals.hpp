// SPDX-License-Identifier: MIT
// Arrivals of all ranks at a call. MPI_Finalize compares them to tell which rank came last. Until then each rank keeps
// a sample of its calls, for which it needs no message: the number of a call decides alike on all ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "algorithms/collective.hpp"
#include "config/report/lateness.hpp"

namespace mpigraft::report {

/// Id of the n-th call of a communicator, the same on all its ranks. Ids are spread evenly over all numbers, so those
/// that end in k zero bits are a sample of one call in 2^k, whatever periods the program has.
constexpr std::uint64_t call_id(std::uint64_t comm, std::int64_t n) {
  std::uint64_t id = comm + static_cast<std::uint64_t>(n) * 0x9e3779b97f4a7c15U;  // splitmix64
  id = (id ^ id >> 30) * 0xbf58476d1ce4e5b9U;
  id = (id ^ id >> 27) * 0x94d049bb133111ebU;
  return id ^ id >> 31;
}

/// A call of this rank.
struct SampledCall {
  std::uint64_t id;
  std::int64_t began, ns;
  std::int32_t rank, root;  // of the communicator; root: 0 where there is none
};

/// A sample of a rank's calls that are alike: all, while they are few. Only the constructor with `room` takes memory,
/// for calls must not. A sample without room keeps nothing.
class Sample {
 public:
  static constexpr std::size_t most = 2048;

  Sample() = default;
  explicit Sample(std::size_t room) { calls_.reserve(room); }

  void add(const SampledCall& call) {
    if ((call.id & mask_) == 0) keep(call);
  }
  const std::vector<SampledCall>& calls() const { return calls_; }

 private:
  void keep(const SampledCall& call);

  std::uint64_t mask_ = 0;  // ids in the sample have none of these bits
  std::vector<SampledCall> calls_;
};

/// A call, as far as ranks have told when they began it.
struct Arrival {
  std::uint64_t id;
  std::int64_t last;         // the latest of these times
  std::int32_t rank, world;  // its rank in the communicator and in MPI_COMM_WORLD
  std::int64_t ranks;        // number of ranks that have told
};

/// Limit of what ranks send each other, so that MPI_Finalize of a large job does not take long.
inline constexpr std::size_t most_arrivals = 16384;

/// Adds the arrivals of another rank, or of more. REQUIRES: both are sorted by id. If there are too many, a sample
/// stays.
void merge(std::vector<Arrival>& into, const std::vector<Arrival>& other);

/// The arrivals of one rank of MPI_COMM_WORLD, sorted by id.
std::vector<Arrival> arrivals_of(const std::vector<const Sample*>& samples, std::int32_t world);

/// Compares a rank's calls with those that all `ranks` of the communicator have told; others are left out. A rank that
/// cannot leave before the last one has come waits for it from its own arrival on, but no longer than it was in the
/// call; others do not wait.
Lateness lateness_of(const Sample& sample, const std::vector<Arrival>& arrivals, Collective collective, int ranks);

}  // namespace mpigraft::report
