// SPDX-License-Identifier: MIT
// MPICH's handles are numbers that tell what they are of.
#pragma once

#include <mpi.h>

#include <cstdint>

#include "shim/abi/translation/kind.hpp"

namespace mpigraft::abi {

constexpr bool is_standard_abi = false;
constexpr std::uintptr_t bits_of_handle = 0xffffffff;

/// Two bits of a handle tell whether the object is built in, and four its kind.
constexpr bool is_builtin(int handle) { return static_cast<unsigned>(handle) >> 30 == 1; }
constexpr bool is_object(int handle, Kind kind) {
  const auto bits = static_cast<unsigned>(handle);
  const unsigned code = kind == Kind::communicator ? 1 : kind == Kind::type ? 3 : 6;
  return (bits >> 26 & 0xf) == code && bits >> 30 != 0;
}

/// The lowest byte of a handle numbers the types that are built in. The next one is a type's size, so that those of
/// Fortran match whatever compiler MPICH was built with.
constexpr std::uint8_t number_of(MPI_Datatype type) { return static_cast<std::uint8_t>(type & 0xff); }
constexpr int bytes_of(MPI_Datatype type) { return type >> 8 & 0xff; }

}  // namespace mpigraft::abi
