// SPDX-License-Identifier: MIT
// The standard ABI's predefined handles are small numbers, grouped by kind; all others are addresses.
#pragma once

#include <cstdint>

#include "config/table/interface.hpp"
#include "shim/abi/standard/interface.hpp"
#include "shim/abi/translation/kind.hpp"

namespace mpigraft::abi {

constexpr table::Interface translated = table::Interface::standard;
constexpr std::uintptr_t bits_of_handle = UINTPTR_MAX;

inline bool find_objects(void*) { return true; }

/// The null handle of a kind is the first of its group.
constexpr bool is_object(std::uintptr_t handle, Kind kind) {
  struct Group {
    std::uintptr_t null, end;
  };
  const Group group = kind == Kind::communicator ? Group{MPI_COMM_NULL, 0x108}
                      : kind == Kind::type       ? Group{MPI_DATATYPE_NULL, 0x300}
                                                 : Group{MPI_OP_NULL, 0x40};
  constexpr std::uintptr_t first_address = 4096;
  return handle >= first_address || (handle > group.null && handle < group.end);
}

}  // namespace mpigraft::abi
