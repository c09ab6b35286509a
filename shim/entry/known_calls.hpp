// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <memory>

#include "shim/abi/arguments.hpp"
#include "shim/execute/plan.hpp"
#include "shim/learn/learner.hpp"

namespace mpigraft::entry {

/// What is known of one kind of call on a communicator.
struct KnownCall {
  Collective collective{};
  abi::CallKind kind;
  abi::CallFacts facts;
  execute::Plan plan;
  learning::Entry* trial = nullptr;  // the trial for calls like it, until it is over

  bool is_of(const abi::RawCall& raw) const { return collective == raw.collective && kind.is_of(raw); }
};

/// The kinds of calls that a program made last on a communicator. Deciding takes longer than a short message, and
/// programs alternate between a few kinds.
class KnownCalls {
 public:
  /// Null: it is not kept. A pointer is valid as long as the communicator's state, but its object may come to be
  /// another kind's.
  KnownCall* find(const abi::RawCall& raw);
  /// Keeps `latest` in place of what was used longest ago. Null: there is no memory.
  KnownCall* keep();
  void forget(const KnownCall& one);
  void forget_all();

  KnownCall latest;  // the one that was decided last, whether it is kept or not

 private:
  static constexpr std::size_t most = 16;

  std::array<std::unique_ptr<KnownCall>, most> kept_;  // the last used first
  std::size_t count_ = 0;                              // the others are forgotten, or null
};

}  // namespace mpigraft::entry
