// SPDX-License-Identifier: MIT
// Vectors of pairs, and the operator <(+),(x)> on them (Gorlatch, Lengauer 1997, eq. 9 and 10). A block has first the
// sums of its pairs and then the products, because operators take arrays. MPI sees a block as one element.
#pragma once

#include <cstdint>

#include "shim/abi/arguments.hpp"

namespace mpigraft::compose {

/// The most bytes of an element that can be half of a pair.
inline constexpr std::int64_t longest_half = 4096;

/// The least number of blocks of a vector that is long enough, so that filling up the last one adds at most an eighth.
inline constexpr std::int64_t fewest_blocks = 8;

/// A vector as blocks of the same length. The last one is filled up.
struct Blocks {
  /// Divides `elements` elements of `element_bytes` bytes into blocks of up to 1 KiB, at least `number` of them if the
  /// vector is long enough.
  Blocks(std::int64_t elements, std::int64_t element_bytes, std::int64_t number = fewest_blocks);

  std::int64_t elements, size;  // length of the vector, and bytes of an element
  std::int64_t length = 1;      // elements of a block
  std::int64_t count() const { return (elements + length - 1) / length; }
  std::int64_t bytes() const { return 2 * length * size; }  // of a block of pairs
};

/// Two operators on a type, as the calls of a collective with each of them.
struct Operators {
  const abi::Call& times;  // distributes over the other
  const abi::Call& plus;
};

/// A type of MPI for blocks of pairs of contiguous elements. The operator finds by the type what to do. If the type of
/// the elements is predefined, it is kept until MPI_Finalize.
class PairType {
 public:
  PairType(const Operators& operators, const Blocks& blocks);
  ~PairType();
  PairType(const PairType&) = delete;
  PairType& operator=(const PairType&) = delete;

  abi::Type handle() const { return handle_; }
  /// The operator <(+),(x)> on blocks of this type.
  abi::Op op() const;

 private:
  abi::Type handle_;
  bool kept_;
};

/// Makes pairs (x, x) of all elements x at `from`. `pairs` has room for blocks.count() blocks of blocks.bytes() bytes.
/// REQUIRES: there is at least one element.
void pair(const char* from, char* pairs, const Blocks& blocks);

/// Copies to `to` the sums of `count` blocks of pairs, without the elements that fill up the vector's last block.
/// `first` is the number of the block at `pairs`.
void project(const char* pairs, char* to, const Blocks& blocks, std::int64_t first, std::int64_t count);

}  // namespace mpigraft::compose
