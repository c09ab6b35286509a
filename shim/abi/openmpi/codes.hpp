// SPDX-License-Identifier: MIT
// Open MPI's handles are addresses, which do not tell the kind of their object.
#pragma once

#include <dlfcn.h>

#include <cstdint>

#include "config/table/interface.hpp"
#include "shim/abi/openmpi/interface.hpp"
#include "shim/abi/translation/kind.hpp"

namespace mpigraft::abi {

constexpr table::Interface translated = table::Interface::openmpi;
constexpr std::uintptr_t bits_of_handle = UINTPTR_MAX;

/// Finds the predefined objects. True if the library has them, except for types that some compilers lack.
inline bool find_objects(void* scope) {
#define X(Handle, name, object) name = static_cast<Handle>(reinterpret_cast<std::uintptr_t>(dlsym(scope, #object)));
  MPIGRAFT_OBJECTS(X)
#undef X
  return MPI_COMM_WORLD != 0 && MPI_DATATYPE_NULL != 0 && MPI_BYTE != 0 && MPI_MIN != 0;
}

inline bool is_object(std::uintptr_t handle, Kind kind) {
  const std::uintptr_t nulls[] = {MPI_COMM_NULL, MPI_DATATYPE_NULL, MPI_OP_NULL};
  return handle != 0 && handle != nulls[static_cast<int>(kind)];
}

}  // namespace mpigraft::abi
