// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "shim/abi/datatype.hpp"

namespace mpigraft::abi {

/// Absolute types as seen from another address than MPI_BOTTOM, for MPI_Pack, which takes no null. The last ones are
/// kept, as MPICH 4.0 loses 64 bytes at many an MPI_Type_commit. A kept one holds on to the type it was made from:
/// meanwhile MPI gives the handle of that to no other.
class ShiftedTypes {
 public:
  /// Any address that is not null: nothing is read there.
  static constexpr std::ptrdiff_t place = 4096;

  ShiftedTypes() = default;
  ~ShiftedTypes();
  ShiftedTypes(const ShiftedTypes&) = delete;
  ShiftedTypes& operator=(const ShiftedTypes&) = delete;

  /// The same bytes from `place` on as those of `type` at MPI_BOTTOM; valid until the next call.
  Type of(Type type);

 private:
  struct Kept {
    Type type = Type::null, shifted = Type::null;
  };
  std::array<Kept, 4> kept_;
  std::size_t oldest_ = 0;
};

/// MPI_Pack of `count` elements into exactly `bytes` bytes, also from MPI_BOTTOM; an MPI error code. `comm` is any
/// communicator whose errors are returned.
int pack(ShiftedTypes& types, const void* buffer, std::int64_t count, Type type, char* packed, std::int64_t bytes,
         Comm comm);

/// The same back, also to MPI_BOTTOM.
int unpack(ShiftedTypes& types, const char* packed, std::int64_t bytes, void* buffer, std::int64_t count, Type type,
           Comm comm);

/// The same of whole elements that are `bytes` long and follow on `from` others, of which the first lies at
/// `element_0`; they are only copied where they have no holes.
int pack(ShiftedTypes& types, const Datatype& type, const char* element_0, std::int64_t from, std::int64_t bytes,
         char* packed, Comm comm);
int unpack(ShiftedTypes& types, const Datatype& type, const char* packed, char* element_0, std::int64_t from,
           std::int64_t bytes, Comm comm);

}  // namespace mpigraft::abi
