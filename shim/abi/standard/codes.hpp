// SPDX-License-Identifier: MIT
// The standard ABI's predefined handles are small numbers, grouped by kind; all others are addresses.
#pragma once

#include <cstdint>

#include "shim/abi/standard/interface.hpp"
#include "shim/abi/translation/kind.hpp"

namespace mpigraft::abi {

constexpr bool is_standard_abi = true;
constexpr std::uintptr_t bits_of_handle = UINTPTR_MAX;

constexpr bool is_builtin(std::uintptr_t handle) { return handle < 4096; }

/// A kind's null handle is the first of its group.
constexpr bool is_object(std::uintptr_t handle, Kind kind) {
  struct Group {
    std::uintptr_t null, end;
  };
  const Group group = kind == Kind::communicator ? Group{MPI_COMM_NULL, 0x108}
                      : kind == Kind::type       ? Group{MPI_DATATYPE_NULL, 0x300}
                                                 : Group{MPI_OP_NULL, 0x40};
  return !is_builtin(handle) || (handle > group.null && handle < group.end);
}

constexpr std::uint8_t number_of(MPI_Datatype type) { return static_cast<std::uint8_t>(type & 0xff); }

/// The types of one size have it in their handles; 0: it is the compiler's, and of Fortran's nobody knows which.
constexpr int bytes_of(MPI_Datatype type) {
  if (type >= MPI_INT8_T) return 1 << (type >> 3 & 7);
  switch (type) {
    case MPI_SHORT:
    case MPI_UNSIGNED_SHORT:
      return sizeof(short);
    case MPI_INT:
    case MPI_UNSIGNED:
      return sizeof(int);
    case MPI_LONG:
    case MPI_UNSIGNED_LONG:
      return sizeof(long);
    case MPI_AINT:
    case MPI_COUNT:
    case MPI_OFFSET:
    case MPI_LONG_LONG:
    case MPI_UNSIGNED_LONG_LONG:
      return 8;
    case MPI_C_BOOL:
    case MPI_CXX_BOOL:
      return sizeof(bool);
    case MPI_FLOAT:
      return sizeof(float);
    case MPI_DOUBLE:
    case MPI_C_FLOAT_COMPLEX:
    case MPI_CXX_FLOAT_COMPLEX:
      return sizeof(double);
    case MPI_LONG_DOUBLE:
    case MPI_C_DOUBLE_COMPLEX:
    case MPI_CXX_DOUBLE_COMPLEX:
      return sizeof(long double);
    case MPI_C_LONG_DOUBLE_COMPLEX:
    case MPI_CXX_LONG_DOUBLE_COMPLEX:
      return 2 * sizeof(long double);
    default:
      return 0;
  }
}
static_assert(bytes_of(MPI_UINT64_T) == 8 && bytes_of(MPI_INTEGER2) == 2 && bytes_of(MPI_COMPLEX32) == 32);

}  // namespace mpigraft::abi
