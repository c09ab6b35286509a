// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "shim/abi/datatype.hpp"

namespace mpigraft::abi {

/// Types for buffers whose address MPI would take for a constant such as MPI_BOTTOM: a shifted type describes the same
/// bytes from an address that is `place` higher. The last ones are kept, because MPICH 4.0 leaks 64 bytes in many an
/// MPI_Type_commit. A kept type refers to the type that it was made from, so MPI does not reuse that one's handle.
class ShiftedTypes {
 public:
  /// Any distance that leads from MPI's constants to ordinary addresses. Nothing is read there.
  static constexpr std::ptrdiff_t place = 4096;

  ShiftedTypes() = default;
  ~ShiftedTypes() { forget(); }
  ShiftedTypes(const ShiftedTypes&) = delete;
  ShiftedTypes& operator=(const ShiftedTypes&) = delete;

  /// The shifted type for `type`, valid until the next call; null if MPI refuses to make it.
  Type of(Type type);
  /// Frees all of them.
  void forget();

 private:
  struct Kept {
    Type type = Type::null, shifted = Type::null;
  };
  std::array<Kept, 4> kept_;
  std::size_t oldest_ = 0;
};

/// True if MPI may take this address for one of its constants, such as MPI_IN_PLACE, or for MPI_Pack MPI_BOTTOM. Short
/// elements that follow the first one at MPI_BOTTOM have such addresses.
inline bool is_special(const void* address) {
  constexpr std::uintptr_t most = 16;
  return reinterpret_cast<std::uintptr_t>(address) + most <= 2 * most;
}

/// Address and type by which MPI accepts `count` elements of `datatype` at `buffer`, whatever its address is.
struct Addressed {
  Addressed(ShiftedTypes& types, const void* buffer, std::int64_t count, Type datatype);

  void* address;
  Type type;
};

// The functions below return MPI's error code. They use own_comm(), which must be there.

/// MPI_Pack of `count` elements into exactly `bytes` bytes, also from MPI_BOTTOM.
int pack(ShiftedTypes& types, const void* buffer, std::int64_t count, Type type, char* packed, std::int64_t bytes);

/// MPI_Unpack of exactly `bytes` bytes into `count` elements, also to MPI_BOTTOM.
int unpack(ShiftedTypes& types, const char* packed, std::int64_t bytes, void* buffer, std::int64_t count, Type type);

/// Pack or unpack whole elements that have `bytes` bytes when packed. The first of them follows `from` packed bytes of
/// elements that begin with the one at `element_0`. Contiguous elements are copied without MPI.
int pack(ShiftedTypes& types, const Datatype& type, const char* element_0, std::int64_t from, std::int64_t bytes,
         char* packed);
int unpack(ShiftedTypes& types, const Datatype& type, const char* packed, char* element_0, std::int64_t from,
           std::int64_t bytes);

/// Copies exactly the bytes that the type describes, by a message of this rank to itself.
int copy(ShiftedTypes& types, const void* from, void* to, int count, Type type);

/// MPI_Reduce_local. Where MPI would refuse an address, the operator gets copies of the operands: a shifted type does
/// not help, because the operator must see the type of the call. Copies need memory; MPI_ERR_NO_MEM without it.
int reduce_local(ShiftedTypes& types, const Datatype& type, const void* lower, void* upper, int count, Op op);

}  // namespace mpigraft::abi
