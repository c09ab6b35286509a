// SPDX-License-Identifier: MIT
// The entry points of C's functions that look.
#include "shim/entry/looking.hpp"

namespace mpigraft::entry {

void* Looking::find(const void* caller) {
  const abi::Binding its = of_callers.next(name, caller);
  if (its.of_all) next.store(its.function, std::memory_order_relaxed);
  return its.function;
}

}  // namespace mpigraft::entry

#define ENTRY_POINT(name, lower, upper, ...) MPIGRAFT_LOOKING_ENTRY(MPI_##name, __VA_ARGS__)
MPIGRAFT_LOOKING(ENTRY_POINT)
