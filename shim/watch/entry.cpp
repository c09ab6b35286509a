// SPDX-License-Identifier: MIT
// The entry points of C.
#include "shim/watch/entry.hpp"

#include "shim/abi/functions.hpp"

namespace mpigraft::watch {

void* Watched::find(const void* caller, bool& traced) {
  const abi::Binding found = definition.next(caller);
  const bool is_seen = found.grafted && asks_for_trace();
  if (found.of_all && !is_seen) untraced.store(found.function, std::memory_order_relaxed);
  traced = is_seen && abi::is_up();
  return found.function;
}

}  // namespace mpigraft::watch

#define ENTRY_POINT(name, Width, callers, ...)                                                         \
  MPIGRAFT_C(name, Width, (mpigraft::watch::Watched{#name, #name, mpigraft::watch::Callers::callers}), \
             mpigraft::watch::watched, __VA_ARGS__)
#define CALLERS_blocking alike
#define CALLERS_starting starts
#define FORM(how, name, Width, ...) ENTRY_POINT(name, Width, CALLERS_##how, __VA_ARGS__)
#define FORMS(name, equal, function, lower, upper, signature, ...) MPIGRAFT_FORMS(FORM, function, lower, signature)
MPIGRAFT_COLLECTIVE_FUNCTIONS(FORMS)

#define NARROW(name, ...) ENTRY_POINT(MPI_##name, Narrow, __VA_ARGS__)
#define BOTH(name, ...) NARROW(name, __VA_ARGS__) ENTRY_POINT(MPI_##name##_c, Large, __VA_ARGS__)
#define WITH_NONBLOCKING(name, lower, callers, ...) \
  BOTH(name, callers, __VA_ARGS__) BOTH(I##lower, starts, __VA_ARGS__, newrequest)
#define OF_F08_TOO(name, lower, ...) NARROW(name, __VA_ARGS__)
#define END(name, lower, upper, ...) NARROW(name, __VA_ARGS__)
MPIGRAFT_OTHER_COLLECTIVES(WITH_NONBLOCKING)
MPIGRAFT_WITH_COUNTS(BOTH)
MPIGRAFT_WITHOUT_COUNTS(OF_F08_TOO)
MPIGRAFT_WITH_TEXTS(NARROW)
MPIGRAFT_ENDS(END)
