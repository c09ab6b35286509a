// SPDX-License-Identifier: MIT
// MPICH's handles are numbers that tell the kind of their object.
#pragma once

#include <mpi.h>

#include "config/table/interface.hpp"
#include "shim/abi/handles.hpp"

namespace mpigraft::abi {

constexpr table::Interface translated = table::Interface::mpich;

inline bool find_objects(void*) { return true; }

/// Two bits of a handle tell how the object was made (0: invalid), and four tell its kind.
constexpr bool is_object(int handle, Kind kind) {
  const auto bits = static_cast<unsigned>(handle);
  const unsigned code = kind == Kind::communicator ? 1 : kind == Kind::type ? 3 : 6;
  return (bits >> 26 & 0xf) == code && bits >> 30 != 0;
}

}  // namespace mpigraft::abi
