// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "algorithms/composition.hpp"

namespace mpigraft::compose {

/// A call of a function of mpigraft.h as the program made it. Handles are as wide as a register.
struct RawComposition {
  Composition composition;
  const void* send;
  void* recv;
  std::int64_t count;
  std::uintptr_t type;
  std::uintptr_t times, plus;  // operators of the scan, and of the call on its result
  int flags;
  int root;  // 0 if the function has none
  std::uintptr_t comm;
};

/// MPIGRAFT_DISTRIBUTES of mpigraft.h.
inline constexpr int distributes_flag = 1;

/// Makes the call. `caller` is its return address. Returns MPI's error code, which is raised already; MPI_ERR_OTHER
/// under an MPI that mpigraft does not know.
int composed(const RawComposition& call, const void* caller);

}  // namespace mpigraft::compose
