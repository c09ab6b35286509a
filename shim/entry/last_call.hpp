// SPDX-License-Identifier: MIT
// THE memory of calls: programs repeat themselves, and MPI's attributes and a decision take longer than a small
// message.
#pragma once

#include <array>
#include <cstddef>

#include "shim/entry/communicator.hpp"
#include "shim/operation/decision.hpp"

namespace mpigraft::entry {

/// A thread's last call of a collective on a communicator, unless it took an array of counts, of which another may hold
/// others. All of it is forgotten when `generation` changes.
/// The first cache line is all that a native call needs: after much work of the program no other is left.
struct alignas(64) LastCall {
  std::uint64_t made_in = UINT64_MAX;  // the generation
  std::uintptr_t comm = 0, type = 0, op = 0;
  std::int64_t count = 0;
  int root = 0;
  bool stays_native = false;  // with nobody watching: the next one like it goes on without another look
  bool decided = false;       // false: the communicator alone is remembered
  Communicator* communicator = nullptr;

  abi::RawParts parts;
  bool in_place = false;
  abi::CallFacts facts;
  operation::Decision decision;

  bool knows(const abi::RawCall& raw, std::uint64_t now) const { return made_in == now && comm == raw.comm; }
  /// Neighbours are not compared one after the other: the compiler would load both in one piece (meson.build).
  bool is_like(const abi::RawCall& raw) const {
    return type == raw.type && count == raw.count && op == raw.op && root == raw.root &&
           (!raw.parts || has_like(*raw.parts, raw.send == abi::in_place));
  }
  /// In place, the input's count and type may be anything.
  bool has_like(const abi::RawParts& its, bool comes_in_place) const {
    return !its.counts && in_place == comes_in_place &&
           (in_place || (parts.send_type == its.send_type && parts.send_count == its.send_count));
  }

  void remember(const abi::RawCall& raw, std::uint64_t now, Communicator& its) {
    made_in = now, comm = raw.comm, communicator = &its;
    stays_native = decided = false;
  }
  void remember(const abi::RawCall& raw, const abi::CallFacts& its_facts, const operation::Decision& made,
                bool goes_native) {
    if (raw.parts) {
      if (raw.parts->counts) return;
      parts = *raw.parts, in_place = raw.send == abi::in_place;
    }
    type = raw.type, op = raw.op, count = raw.count, root = raw.root;
    facts = its_facts, decision = made;
    stays_native = goes_native, decided = true;
  }
};

/// A place for each collective and, so that communicators that take turns do not drive each other out, for some of
/// them.
LastCall& last_call_of(const abi::RawCall& raw);

}  // namespace mpigraft::entry
