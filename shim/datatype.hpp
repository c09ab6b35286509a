// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>

namespace mpigraft {

/// What the shim knows of a datatype. Offsets and sizes in bytes.
struct Datatype {
  MPI_Datatype handle;
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

/// Absolute types as seen from another address than MPI_BOTTOM, for MPI_Pack, which takes no null. The last ones are
/// kept, as MPICH 4.0 loses 64 bytes at many an MPI_Type_commit. What is kept holds on to the type it was made from:
/// meanwhile MPI gives the handle of that to no other.
class ShiftedTypes {
 public:
  /// Any address that is not null: nothing is read there.
  static constexpr MPI_Aint place = 4096;

  ShiftedTypes() = default;
  ~ShiftedTypes();
  ShiftedTypes(const ShiftedTypes&) = delete;
  ShiftedTypes& operator=(const ShiftedTypes&) = delete;

  /// The same bytes from `place` on as those of `type` at MPI_BOTTOM; valid until the next call.
  MPI_Datatype of(MPI_Datatype type);

 private:
  struct Kept {
    MPI_Datatype type = MPI_DATATYPE_NULL, shifted = MPI_DATATYPE_NULL;
  };
  std::array<Kept, 4> kept_;
  std::size_t oldest_ = 0;
};

/// `handle` must be valid: see arguments.hpp.
Datatype describe(MPI_Datatype handle);

/// MPICH encodes in two bits of a handle whether the object is built in.
constexpr bool is_builtin(int handle) { return (static_cast<unsigned>(handle) >> 30) == 1; }

/// A predefined type of floating point numbers, whose sums depend on the order.
bool is_floating(MPI_Datatype handle);

}  // namespace mpigraft
