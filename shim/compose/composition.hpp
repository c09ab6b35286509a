// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "algorithms/composition.hpp"

namespace mpigraft::compose {

/// A call of the composition API as it arrived, its handles as wide as a register.
struct RawComposition {
  Composition composition;
  const void* send;
  void* recv;
  std::int64_t count;
  std::uintptr_t type;
  std::uintptr_t times, plus;  // of the scan, and of the call on its result
  int flags;
  int root;  // 0 where there is none
  std::uintptr_t comm;
};

/// The flags of mpigraft.h.
inline constexpr int distributes_flag = 1;

/// MPI's error code; `caller` is the address that the call came from.
int composed(const RawComposition& call, const void* caller);

}  // namespace mpigraft::compose
