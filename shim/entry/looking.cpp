// SPDX-License-Identifier: MIT
// The entry points of C's functions that look.
#include "shim/entry/looking.hpp"

#include <string>

#include "shim/base/log.hpp"

namespace mpigraft::entry {

void* Looking::find(const void* caller) {
  const abi::Binding its = of_callers.bound(name, caller);
  if (its.of_all) next.store(its.function, std::memory_order_relaxed);
  if (!its.function)
    base::without_memory_silent(
        [&] { base::log_once("the MPI library lacks " + std::string(name) + ": the call fails"); });
  return its.function;
}

}  // namespace mpigraft::entry

#define ENTRY_POINT(name, lower, upper, n) MPIGRAFT_LOOKING_ENTRY(MPI_##name, TAKES_##n, GIVES_##n)
MPIGRAFT_LOOKING(ENTRY_POINT)
