// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "algorithms/collective.hpp"

namespace mpigraft {

/// An intercepted call as it arrived. Handles are as wide as a register: in another MPI they are pointers, and
/// are narrowed to MPICH's ints only once the library is known to be MPICH.
struct RawCall {
  Collective collective;
  bool large;        // the _c form
  const void* send;  // null where the signature has one buffer
  void* recv;        // or the one buffer
  std::int64_t count;
  std::uintptr_t type;
  std::uintptr_t op;  // 0 where nothing is combined
  int root;           // 0 where there is none
  std::uintptr_t comm;
};

/// The same call to PMPI, untouched.
int forward(const RawCall& call);

}  // namespace mpigraft
