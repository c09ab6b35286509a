// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "shim/abi/arguments.hpp"
#include "shim/abi/functions.hpp"
#include "shim/execute/plan.hpp"
#include "shim/learn/learner.hpp"

namespace mpigraft::entry {

/// What is known of one kind of call on a communicator.
struct KnownCall {
  std::optional<Collective> collective;  // empty: nothing
  abi::CallKind kind;
  std::int64_t length = 0;                     // RawCall::count of the last call, whose facts and plan these are
  std::optional<std::uint64_t> handles_freed;  // abi::handles_freed at that time; empty: its handles are MPI's own
  abi::CallFacts facts;
  execute::Plan plan;
  learning::Entry* trial = nullptr;  // the trial for calls like it, until it is over

  bool is_of(const abi::RawCall& raw) const {
    return collective == raw.collective && kind.is_of(raw) && (!handles_freed || *handles_freed == abi::handles_freed);
  }
  void forget() { collective.reset(), plan = execute::Plan(); }
  /// Makes it what is known of a call like `raw`, which it is of, perhaps with another length.
  void resize(const abi::RawCall& raw) {
    if (kind.more > 0 && length != raw.count) resize_to(raw);
  }

 private:
  void resize_to(const abi::RawCall& raw);
};

/// The kinds of calls that a program made last on a communicator. Deciding takes longer than a short message, and
/// programs alternate between kinds, such as short vectors of all lengths.
class KnownCalls {
 public:
  explicit KnownCalls(int ranks) : ranks_(ranks) {}

  /// Null: it is not kept. A pointer is valid as long as the communicator's state, but its object may come to be
  /// another kind's.
  KnownCall* find(const abi::RawCall& raw);
  /// Keeps `latest`, which is of `raw`, in place of one of those that were used longest ago. Null: there is no memory.
  KnownCall* keep(const abi::RawCall& raw);
  void forget_all();
  /// Called for each call with handles of the program of which nothing is known. False while they are freed soon: then
  /// it takes longer to keep what is known than to find it again.
  bool handles_last(std::uint64_t handles_freed);

  KnownCall latest;  // the one that was decided last, whether it is kept or not

 private:
  struct Entry {
    std::uint64_t hash = 0;
    std::unique_ptr<KnownCall> known;  // null at first
  };
  using Bucket = std::array<Entry, 16>;  // the last used first

  std::uint64_t hash_of(const abi::RawCall& raw, bool of_its_length) const;
  KnownCall* find(const abi::RawCall& raw, std::uint64_t hash);
  std::unique_ptr<Bucket>& bucket_of(std::uint64_t hash) { return buckets_[hash / (UINT64_MAX / buckets_.size() + 1)]; }

  const int ranks_;
  std::array<std::unique_ptr<Bucket>, 64> buckets_;
  std::uint64_t handles_freed_ = 0;
  int calls_since_ = 0;  // with handles of the program
};

}  // namespace mpigraft::entry
