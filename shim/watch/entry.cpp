// SPDX-License-Identifier: MIT
// The entry points of C.
#include "shim/watch/entry.hpp"

#include "shim/abi/functions.hpp"
#include "shim/watch/functions.hpp"

namespace mpigraft::watch {
void* Watched::find(const void* caller, bool& traced) {
  const abi::Binding its = definition.next(name, caller);
  const bool is_seen = its.grafted && asks_for_trace();
  if (its.of_all && !is_seen) untraced.store(its.function, std::memory_order_relaxed);
  traced = is_seen && abi::is_up();
  return its.function;
}

}  // namespace mpigraft::watch

#define NARROW_PARAMETER(name) mpigraft::watch::narrow::name name
#define LARGE_PARAMETER(name) mpigraft::watch::large::name name
#define ENTRY_POINT(PARAMETER, name, its_callers, ...)                                                   \
  extern "C" __attribute__((visibility("default"))) int name(MPIGRAFT_LIST(PARAMETER, __VA_ARGS__)) {    \
    static constinit mpigraft::watch::Watched self{#name, #name, mpigraft::watch::Callers::its_callers}; \
    return mpigraft::watch::watched(                                                                     \
        self, __builtin_return_address(0) __VA_OPT__(, MPIGRAFT_LIST(MPIGRAFT_ARGUMENT, __VA_ARGS__)));  \
  }
#define NARROW(name, ...) ENTRY_POINT(NARROW_PARAMETER, MPI_##name, __VA_ARGS__)
#define LARGE(name, ...) ENTRY_POINT(LARGE_PARAMETER, MPI_##name##_c, __VA_ARGS__)
MPIGRAFT_WATCHED_COLLECTIVES(NARROW)
MPIGRAFT_WATCHED_COLLECTIVES(LARGE)
MPIGRAFT_WATCHED_WITH_COUNTS(NARROW)
MPIGRAFT_WATCHED_WITH_COUNTS(LARGE)
MPIGRAFT_WATCHED_IN_FORTRAN(NARROW)
MPIGRAFT_WATCHED_OTHERS(NARROW)
