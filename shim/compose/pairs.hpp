// SPDX-License-Identifier: MIT
// Vectors of pairs, and the operator <(+),(x)> on them (Gorlatch, Lengauer 1997, eq. 9 and 10).
#pragma once

#include <cstdint>

#include "shim/abi/arguments.hpp"

namespace mpigraft::compose {

/// Bytes of an element that can be half of a pair.
inline constexpr std::int64_t longest_half = 4096;

/// Two operators on a type, as calls of a collective with each.
struct Operators {
  const abi::Call& times;  // distributes over the other
  const abi::Call& plus;
};

/// A type of MPI whose elements are pairs, of contiguous halves. Its operator finds by it what to do. It is kept until
/// MPI_Finalize where the type of the halves is predefined.
class PairType {
 public:
  explicit PairType(const Operators& operators);
  ~PairType();
  PairType(const PairType&) = delete;
  PairType& operator=(const PairType&) = delete;

  abi::Type handle() const { return handle_; }

 private:
  abi::Type handle_;
  bool kept_;
};

/// <(+),(x)>, for any PairType; made once.
abi::Op pair_operator();

/// `pairs[i]` := (from[i], from[i]), of elements of `size` bytes.
void pair(const char* from, char* pairs, std::int64_t count, std::int64_t size);

/// to[i] := the first of `pairs[i]`.
void project(const char* pairs, char* to, std::int64_t count, std::int64_t size);

}  // namespace mpigraft::compose
