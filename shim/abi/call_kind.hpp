// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "shim/abi/arguments.hpp"
#include "shim/abi/call.hpp"
#include "shim/abi/constants.hpp"

namespace mpigraft::abi {

/// What like calls on a communicator have in common: all but their buffers.
struct CallKind {
  CallKind() = default;
  /// `ranks`: size of the communicator.
  CallKind(const RawCall& raw, int ranks);

  Word type = 0, op = 0;
  std::int64_t count = 0;
  int root = 0;
  bool in_place = false;   // set if the input has its own count and type, which follow below
  bool by_counts = false;  // true: the parts' lengths were in an array, and `count` is their sum on `ranks` ranks
  int ranks = 0;
  std::int64_t send_count = 0;
  Word send_type = 0;

  /// Does not compare neighbouring members one after the other, because the compiler would load both in one piece
  /// (meson.build).
  bool is_of(const RawCall& raw) const {
    return type == raw.type && (by_counts || count == raw.count) && op == raw.op && root == raw.root &&
           (raw.parts ? has_like_parts(raw) : !by_counts);
  }

 private:
  /// With MPI_IN_PLACE the input's count and type do not matter. A decision depends only on the sum of the parts'
  /// lengths.
  bool has_like_parts(const RawCall& raw) const {
    const RawParts& parts = *raw.parts;
    if (by_counts != (parts.counts != nullptr) || in_place != (raw.send == abi::in_place)) return false;
    if (!in_place && (send_type != parts.send_type || send_count != parts.send_count)) return false;
    return !by_counts || sum_of_counts(parts.counts, raw.large, ranks) == count;
  }
};

inline CallKind::CallKind(const RawCall& raw, int size)
    : type(raw.type), op(raw.op), count(raw.count), root(raw.root), ranks(size) {
  if (!raw.parts) return;
  const RawParts& parts = *raw.parts;
  in_place = raw.send == abi::in_place, by_counts = parts.counts != nullptr;
  send_count = parts.send_count, send_type = parts.send_type;
  if (by_counts) count = sum_of_counts(parts.counts, raw.large, ranks);
}

}  // namespace mpigraft::abi
