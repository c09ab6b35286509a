// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "algorithms/info.hpp"

namespace mpigraft {

/// An intercepted call as it arrived. Handles are as wide as a register: in another MPI they are pointers, and
/// are narrowed to MPICH's ints only once the library is known to be MPICH.
struct RawCall {
  Collective collective;
  bool large;  // the _c form
  const void* send;
  void* recv;  // bcast: the one buffer
  std::int64_t count;
  std::uintptr_t type;
  std::uintptr_t op;  // bcast: 0
  int root;           // scan, exscan: 0
  std::uintptr_t comm;
};

/// The same call to PMPI, untouched.
int forward(const RawCall& call);

/// Grafts the call or forwards it; `caller` is the address it came from.
int intercepted(const RawCall& call, const void* caller);

}  // namespace mpigraft
