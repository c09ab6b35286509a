// SPDX-License-Identifier: MIT
// THE memory of calls: programs repeat themselves, and MPI's attributes and a decision take longer than a small
// message.
#pragma once

#include <array>
#include <cstddef>

#include "shim/entry/communicator.hpp"
#include "shim/operation/decision.hpp"
#include "shim/operation/plan.hpp"

namespace mpigraft::entry {

/// A thread's last call of a collective on a communicator. All of it is forgotten when `generation` changes.
/// The first cache line is all that a native call needs: after much work of the program no other is left.
struct alignas(64) LastCall {
  std::uint64_t made_in = UINT64_MAX;  // the generation
  std::uintptr_t comm = 0, type = 0, op = 0;
  std::int64_t count = 0;
  int root = 0;
  bool stays_native = false;  // with nobody watching: the next one like it goes on without another look
  bool decided = false;       // false: the communicator alone is remembered
  bool in_place = false;      // kept where the input has a count and a type of its own, which follow below
  bool by_counts = false;     // the parts' lengths were in an array
  Communicator* communicator = nullptr;
  learning::Entry* race = nullptr;  // of calls like it, while it lasts

  abi::CallFacts facts;
  operation::Decision decision;
  operation::Plan plan;  // where an algorithm is to run
  std::int64_t send_count = 0;
  std::uintptr_t send_type = 0;

  bool knows(const abi::RawCall& raw, std::uint64_t now) const { return made_in == now && comm == raw.comm; }
  /// Neighbours are not compared one after the other: the compiler would load both in one piece (meson.build).
  bool is_like(const abi::RawCall& raw) const {
    return type == raw.type && count == raw.count && op == raw.op && root == raw.root &&
           (raw.parts ? has_like_parts(raw) : !by_counts);
  }
  /// In place, the input's count and type may be anything. A decision knows the sum of the parts' lengths alone.
  bool has_like_parts(const abi::RawCall& raw) const {
    const abi::RawParts& its = *raw.parts;
    if (by_counts != (its.counts != nullptr) || in_place != (raw.send == abi::in_place)) return false;
    if (!in_place && (send_type != its.send_type || send_count != its.send_count)) return false;
    return !by_counts || abi::sum_of_counts(its, raw.large, communicator->agreed.size) == facts.elements;
  }

  void remember(const abi::RawCall& raw, std::uint64_t now, Communicator& its) {
    made_in = now, comm = raw.comm, communicator = &its;
    stays_native = decided = false;
  }
  /// The next call like it needs no other decision than the one that is here.
  void remember(const abi::RawCall& raw, const abi::CallFacts& its_facts, bool goes_native) {
    if (raw.parts)
      send_count = raw.parts->send_count, send_type = raw.parts->send_type, in_place = raw.send == abi::in_place;
    by_counts = raw.parts && raw.parts->counts;
    type = raw.type, op = raw.op, count = raw.count, root = raw.root;
    facts = its_facts;
    stays_native = goes_native && !race, decided = true;
  }
};

/// A place for each collective and, so that communicators that take turns do not drive each other out, for some of
/// them.
LastCall& last_call_of(const abi::RawCall& raw);

}  // namespace mpigraft::entry
