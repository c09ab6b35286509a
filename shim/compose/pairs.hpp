// SPDX-License-Identifier: MIT
// Vectors of pairs, and the operator <(+),(x)> on them (Gorlatch, Lengauer 1997, eq. 9 and 10). Operators take arrays:
// so the elements of a block lie side by side, first their sums and then their products, and MPI sees a block as one
// element.
#pragma once

#include <cstdint>

#include "shim/abi/arguments.hpp"

namespace mpigraft::compose {

/// Bytes of an element that can be half of a pair.
inline constexpr std::int64_t longest_half = 4096;

/// Blocks that a vector has at least where it is long enough, so that filling up adds an eighth at most.
inline constexpr std::int64_t fewest_blocks = 8;

/// A vector as blocks of the same length. The last one is filled up.
struct Blocks {
  /// At least `number` blocks where the vector is long enough, of up to 1 KiB.
  Blocks(std::int64_t elements, std::int64_t element_bytes, std::int64_t number = fewest_blocks);

  std::int64_t elements, size;  // of the vector, and bytes of one
  std::int64_t length = 1;      // elements of a block
  std::int64_t count() const { return (elements + length - 1) / length; }
  std::int64_t bytes() const { return 2 * length * size; }  // of a block of pairs
};

/// Two operators on a type, as calls of a collective with each.
struct Operators {
  const abi::Call& times;  // distributes over the other
  const abi::Call& plus;
};

/// A type of MPI for blocks of pairs, of contiguous halves. Its operator finds by it what to do. It is kept until
/// MPI_Finalize where the type of the halves is predefined.
class PairType {
 public:
  PairType(const Operators& operators, const Blocks& blocks);
  ~PairType();
  PairType(const PairType&) = delete;
  PairType& operator=(const PairType&) = delete;

  abi::Type handle() const { return handle_; }
  /// <(+),(x)>.
  abi::Op op() const;

 private:
  abi::Type handle_;
  bool kept_;
};

/// Pairs (x, x) of all elements x of `from`. REQUIRES: there is one.
void pair(const char* from, char* pairs, const Blocks& blocks);

/// The sums of `count` blocks of pairs, but not what fills up the vector's last one; the first of them is block
/// `first`.
void project(const char* pairs, char* to, const Blocks& blocks, std::int64_t first, std::int64_t count);

}  // namespace mpigraft::compose
