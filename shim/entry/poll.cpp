// SPDX-License-Identifier: MIT
// The entry points of C's polls.
#include "shim/entry/poll.hpp"

namespace mpigraft::entry {

void* Poll::find(const void* caller) {
  const abi::Binding found = of_callers.next(caller);
  if (found.of_all) next.store(found.function, std::memory_order_relaxed);
  return found.function;
}

}  // namespace mpigraft::entry

#define ENTRY_POINT(name, lower, upper, ...) \
  MPIGRAFT_C(MPI_##name, Narrow, mpigraft::entry::Poll("MPI_" #name), mpigraft::entry::call<int>, __VA_ARGS__)
MPIGRAFT_POLLS(ENTRY_POINT)
