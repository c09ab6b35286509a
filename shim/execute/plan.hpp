// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "algorithms/info.hpp"
#include "shim/abi/arguments.hpp"
#include "shim/execute/decision.hpp"
#include "shim/execute/transport_state.hpp"

namespace mpigraft::execute {

/// Everything that like calls have in common: what was decided, and all that does not depend on the buffers. It is
/// kept, because programs repeat calls, and finding it takes longer than a short message.
struct Plan {
  /// A plan that leaves calls to MPI.
  constexpr explicit Plan(const Decision& native = {}) : decision(native) {}
  /// A plan for calls like this one. REQUIRES: `made` names an algorithm; transport.ensure().
  Plan(const agree::Negotiated& agreed, TransportState& transport, const abi::Call& call, const Decision& made);

  /// The lengths in bytes, around that of the call for which it was made, to which the plan can be resized.
  table::Range lengths(const TransportState& transport) const;
  /// Makes it a plan for vectors of so many elements of the call. REQUIRES: lengths() has that length.
  void resize(std::int64_t call_elements, std::int64_t type_size, int ranks) {
    elements = piece = stream ? call_elements * type_size : call_elements;
    if (in_parts) params.parts.each = elements / ranks;
    unit = undivided();
  }

  /// This plan with the call's own parts, if their lengths are in an array.
  Plan for_parts_of(const agree::Negotiated& agreed, TransportState& transport, const abi::Call& call) const;

  Decision decision;             // the rest is valid if it names an algorithm
  bool stream = false;           // nothing is combined, so the vector is a stream of bytes
  bool in_parts = false;         // the vector has a part for each rank
  bool by_counts = false;        // of any length, so that the plan has them in `for_parts_of` alone
  bool gathers = false;          // a stream in parts
  bool stays_in_memory = false;  // no message goes through MPI; equal on all ranks
  int ports = 1;                 // messages in each direction at once
  abi::Datatype type{};          // the type of the algorithm's elements
  std::int64_t elements = 0;     // length of the vector, in that type
  std::int64_t piece = 0;        // most elements that one run of the algorithm takes
  std::int64_t unit = 1;         // elements for each of its schedules', which may be made for vectors of one, or parts
  std::size_t kept_scratch = 0;  // most bytes of scratch that all communicators of this process together may keep
  Params params;
  std::shared_ptr<Schedules> schedules;  // null: without memory

  /// True if this rank has no memory now for schedules that it would keep.
  bool is_starved() const { return !by_counts && !schedules; }

 private:
  bool scales() const;
  /// Elements of what an algorithm that scales never divides: a part, or the vector.
  std::int64_t undivided() const { return in_parts ? params.parts.each : elements; }
  void find_schedules(const agree::Negotiated& agreed, TransportState& transport, const abi::Call& call);
};

}  // namespace mpigraft::execute
