// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "shim/abi/handles.hpp"

namespace mpigraft::abi {

/// `base` moved by `bytes`. It is computed as an integer, because MPI_BOTTOM is a null pointer, and the address of
/// element 0 can be one where nothing lies.
inline char* moved(const void* base, std::int64_t bytes) {
  return reinterpret_cast<char*>(reinterpret_cast<std::uintptr_t>(base) + static_cast<std::uintptr_t>(bytes));
}

/// True if a function of MPI may take this address of an element for a constant such as MPI_IN_PLACE, or MPI_Pack and
/// MPI_Reduce_local refuse it as MPI_BOTTOM. Short elements that follow the first one at MPI_BOTTOM have such
/// addresses. Messages may begin at any address.
inline bool is_special(const void* address) {
  constexpr std::uintptr_t most = 16;
  return reinterpret_cast<std::uintptr_t>(address) + most <= 2 * most;
}

/// The facts of a datatype (MPI-4.0, 5.1). Offsets and sizes are in bytes.
struct Datatype {
  Type handle;
  std::int64_t size;         // of one packed element
  std::int64_t extent;       // from one element to the next; may be negative
  std::int64_t true_lb;      // where an element's first byte lies
  std::int64_t true_extent;  // from there to the end of its last byte
  bool contiguous;           // memory order is packed order, without holes

  /// Bytes between neighbouring elements, in either direction.
  std::int64_t step() const { return extent < 0 ? -extent : extent; }
  /// Bytes from the lowest to the highest byte of `count` elements.
  std::int64_t span(std::int64_t count) const { return count > 0 ? (count - 1) * step() + true_extent : 0; }
  /// True if elements lie between the bytes of others, as the columns of a matrix do.
  bool interleaves() const { return true_extent > step(); }
  /// Bytes from the lowest byte of `count` elements to the address of element 0, which may be outside them.
  std::int64_t offset_of_first(std::int64_t count) const { return (extent < 0 ? -extent * (count - 1) : 0) - true_lb; }
  /// The address of element 0 of `count` elements whose lowest byte lies at `lowest`.
  char* element_0(char* lowest, std::int64_t count) const { return moved(lowest, offset_of_first(count)); }
};

/// The type of a broadcast: one stream of bytes.
inline Datatype byte_stream() { return {type_byte, 1, 1, 0, 1, true}; }

/// Asks MPI for the facts of a type. REQUIRES: `handle` is valid, as inspect() checks.
Datatype describe(Type handle);

// The following functions return MPI's error code, and use own_comm(), which must be there.

/// Pack or unpack whole elements that have `bytes` bytes when packed. The first of them follows `from` packed bytes of
/// elements that begin with the one at `element_0`. Contiguous elements are copied without MPI.
int pack(const Datatype& type, const char* element_0, std::int64_t from, std::int64_t bytes, char* packed);
int unpack(const Datatype& type, const char* packed, char* element_0, std::int64_t from, std::int64_t bytes);

/// MPI_Reduce_local. Where MPI would refuse an address, the operator gets copies of the operands, which need memory;
/// MPI_ERR_NO_MEM without it.
int reduce_local(const Datatype& type, const void* lower, void* upper, int count, Op op);

/// The number of floating-point numbers at the beginning of each element of a predefined type: 2 for a complex number
/// or a Fortran pair such as MPI_2REAL, else 1 or 0.
int numbers_in(Type handle);

/// True for predefined types whose sums depend on the order of the operands.
bool is_floating(Type handle);

/// True if `such` is true for one of the predefined types that a type is built of.
bool holds(Type handle, bool (*such)(Type));

}  // namespace mpigraft::abi
