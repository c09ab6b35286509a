// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "shim/abi/datatype.hpp"

namespace mpigraft::abi {

/// Absolute types as seen from another address than MPI_BOTTOM. The last ones are kept, as MPICH 4.0 loses 64 bytes at
/// many an MPI_Type_commit. A kept one holds on to the type it was made from: meanwhile MPI gives the handle of that to
/// no other.
class ShiftedTypes {
 public:
  /// Any address that is no constant of MPI's: nothing is read there.
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

/// Whether MPI may take this address for one of its constants, such as MPI_IN_PLACE. Elements of few bytes that follow
/// on MPI_BOTTOM have such addresses. MPI_BOTTOM is one for MPI_Pack.
inline bool is_special(const void* address) {
  constexpr std::uintptr_t most = 16;
  return reinterpret_cast<std::uintptr_t>(address) + most <= 2 * most;
}

/// `count` elements as MPI takes them wherever they are.
struct Addressed {
  Addressed(ShiftedTypes& types, const void* buffer, std::int64_t count, Type datatype);

  void* address;
  Type type;
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

/// A message of rank `self` to itself, which copies exactly what the type describes.
int copy(ShiftedTypes& types, const void* from, void* to, int count, Type type, int self, Comm comm);

/// MPI_Reduce_local. Where MPI would refuse an address, the operator, which must see the type of the call, gets copies.
int reduce_local(ShiftedTypes& types, const Datatype& type, const void* lower, void* upper, int count, Op op, int self,
                 Comm comm);

}  // namespace mpigraft::abi
