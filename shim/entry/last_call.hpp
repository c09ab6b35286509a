// SPDX-License-Identifier: MIT
// THE memory of calls. Programs repeat calls, and looking up an attribute and deciding take longer than a short
// message.
#pragma once

#include <array>
#include <cstddef>

#include "shim/entry/communicator.hpp"
#include "shim/execute/decision.hpp"
#include "shim/execute/plan.hpp"

namespace mpigraft::entry {

/// A thread's last call of a collective on a communicator. It is forgotten when `generation` changes. A native call
/// needs only the first cache line, because the program's work may evict all of them between calls.
struct alignas(64) LastCall {
  std::uint64_t made_in = UINT64_MAX;  // value of `generation`
  std::uintptr_t comm = 0, type = 0, op = 0;
  std::int64_t count = 0;
  int root = 0;
  bool stays_native = false;  // true: the next call like it goes to PMPI without another look; never if watched
  bool decided = false;       // false: only the communicator is remembered
  bool in_place = false;      // set if the input has its own count and type, which follow below
  bool by_counts = false;     // true: the parts' lengths were in an array
  Communicator* communicator = nullptr;  // null: it is warming_up
  learning::Entry* trial = nullptr;      // the trial for calls like it, until it is over

  abi::CallFacts facts;
  execute::Decision decision;
  execute::Plan plan;  // valid if the decision names an algorithm
  std::int64_t send_count = 0;
  std::uintptr_t send_type = 0;
  Warming* warming_up = nullptr;

  bool knows(const abi::RawCall& raw, std::uint64_t now) const { return made_in == now && comm == raw.comm; }
  /// Does not compare neighbouring members one after the other, because the compiler would load both in one piece
  /// (meson.build).
  bool is_like(const abi::RawCall& raw) const {
    return type == raw.type && count == raw.count && op == raw.op && root == raw.root &&
           (raw.parts ? has_like_parts(raw) : !by_counts);
  }
  /// With MPI_IN_PLACE the input's count and type do not matter. A decision depends only on the sum of the parts'
  /// lengths.
  bool has_like_parts(const abi::RawCall& raw) const {
    const abi::RawParts& parts = *raw.parts;
    if (by_counts != (parts.counts != nullptr) || in_place != (raw.send == abi::in_place)) return false;
    if (!in_place && (send_type != parts.send_type || send_count != parts.send_count)) return false;
    return !by_counts || abi::sum_of_counts(parts.counts, raw.large, communicator->agreed.size) == facts.elements;
  }

  void remember(const abi::RawCall& raw, std::uint64_t now, Communicator& found) {
    made_in = now, comm = raw.comm, communicator = &found;
    stays_native = decided = false;
  }
  void remember(const abi::RawCall& raw, std::uint64_t now, Warming& found) {
    made_in = now, comm = raw.comm, communicator = nullptr, warming_up = &found;
    stays_native = decided = false;
  }
  /// Keeps that calls like this one, on a communicator of one rank, stay native.
  void remember_alone(const abi::RawCall& raw) {
    trial = nullptr;
    if (!raw.parts) remember(raw, abi::CallFacts{}, true);
  }
  /// Keeps the decision for the next call like this one.
  void remember(const abi::RawCall& raw, const abi::CallFacts& its_facts, bool goes_native) {
    if (raw.parts)
      send_count = raw.parts->send_count, send_type = raw.parts->send_type, in_place = raw.send == abi::in_place;
    by_counts = raw.parts && raw.parts->counts;
    type = raw.type, op = raw.op, count = raw.count, root = raw.root;
    facts = its_facts;
    stays_native = goes_native && !trial, decided = true;
  }
};

/// This thread's place for calls like `raw`. Each collective has several, so that communicators that take turns do not
/// evict each other.
LastCall& last_call_of(const abi::RawCall& raw);

}  // namespace mpigraft::entry
