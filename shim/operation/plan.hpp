// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "algorithms/info.hpp"
#include "config/table/table.hpp"
#include "shim/abi/arguments.hpp"
#include "shim/operation/traffic.hpp"

namespace mpigraft::operation {

/// All that is the same for calls alike: programs repeat themselves, and finding it takes longer than a small message.
struct Plan {
  Plan() = default;
  /// For calls like this one, for which `choice` names an algorithm. The traffic stands.
  Plan(const agree::Agreement& agreed, const Traffic& traffic, const abi::Call& call, const table::Choice& choice);

  /// The same plan with the parts of a call: where the call has any, they are its own.
  Plan for_parts_of(const agree::Agreement& agreed, const Traffic& traffic, const abi::Call& call) const;

  std::size_t algorithm = 0;      // its index in the catalogue
  bool stream = false;            // of bytes: nothing is combined
  bool gathers = false;           // a stream in parts
  bool stays_in_memory = false;   // MPI carries nothing of it; equal on all ranks
  int ports = 1;                  // messages each way at once
  abi::Datatype type{};           // of what the algorithm sees
  std::int64_t elements = 0;      // of the vector, in that type
  std::int64_t piece = 0;         // the most of them that are done in one go
  std::size_t scratch_bytes = 0;  // for a piece
  std::size_t kept_scratch = 0;   // bytes that all communicators together may keep
  Params params;

 private:
  void find_scratch(int ranks);
};

}  // namespace mpigraft::operation
