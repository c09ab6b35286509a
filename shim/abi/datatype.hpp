// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "shim/abi/constants.hpp"

namespace mpigraft::abi {

/// The facts of a datatype. Offsets and sizes in bytes.
struct Datatype {
  Type handle;
  std::int64_t size;         // packed
  std::int64_t extent;       // from one element to the next; may be negative
  std::int64_t true_lb;      // where an element's first byte lies
  std::int64_t true_extent;  // from there to its last
  bool contiguous;           // memory order is packed order, without holes

  /// Bytes from an element to its neighbour, wherever that lies.
  std::int64_t step() const { return extent < 0 ? -extent : extent; }
  /// Bytes from the lowest to the highest of `count` elements. Elements may lie between the parts of others, as the
  /// columns of a matrix do.
  std::int64_t span(std::int64_t count) const { return count > 0 ? (count - 1) * step() + true_extent : 0; }
  bool interleaves() const { return true_extent > step(); }
  /// Where element 0 lies in memory that starts at the lowest byte of `count` elements.
  std::int64_t offset_of_first(std::int64_t count) const { return (extent < 0 ? -extent * (count - 1) : 0) - true_lb; }
};

/// The type of a broadcast: one stream of bytes.
inline Datatype byte_stream() { return {type_byte, 1, 1, 0, 1, true}; }

/// `handle` must be valid: see arguments.hpp.
Datatype describe(Type handle);

/// The floating point numbers that an element of a predefined type begins with.
struct Floats {
  int numbers = 0;    // 0: none; 2: a complex number, or a pair of Fortran
  bool pair = false;  // with an index, for MINLOC and MAXLOC
};
Floats floats_of(Type handle);

/// A predefined type of numbers whose sums depend on the order.
bool is_floating(Type handle);

/// The same for long double, of whose bytes not all count.
bool is_extended(Type handle);

/// Whether any of the predefined types that a type is built of is such a one.
bool holds(Type handle, bool (*such)(Type));

}  // namespace mpigraft::abi
