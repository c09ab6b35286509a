// SPDX-License-Identifier: MIT
// The common part of entry points. They trace a call if a trace is wanted, and pass it unchanged to the next definition
// of the function: libmpigraft's, a tool's or MPI's own.
#pragma once

#include <atomic>

#include "shim/abi/binding.hpp"
#include "shim/abi/fortran.hpp"
#include "shim/abi/handles.hpp"
#include "shim/abi/other_functions.hpp"
#include "shim/abi/parameters.hpp"
#include "shim/watch/traced_call.hpp"

namespace mpigraft::watch {

/// A function of which this library has a definition.
struct Watched {
  /// `function` is that of C, by which the trace calls the one of this name.
  constexpr Watched(const char* name, const char* function, Callers callers)
      : definition(name), function(function), callers(callers) {}

  abi::Function definition;
  const char* function;
  Callers callers;
  std::atomic<void*> untraced{nullptr};  // the definition for all callers; null until it is known that none is traced

  /// The definition that the caller reaches without us. `traced` tells whether the call is to be traced.
  void* next(const void* caller, bool& traced) {
    void* const known = untraced.load(std::memory_order_relaxed);
    traced = false;
    return known ? known : find(caller, traced);
  }

 private:
  void* find(const void* caller, bool& traced);
};

/// Makes a call of a function of C.
template <class... Arguments>
int watched(Watched& self, const void* caller, Arguments... arguments) {
  using Function = int (*)(Arguments...);
  bool traced;
  void* const next = self.next(caller, traced);
  if (!traced) [[likely]]
    return reinterpret_cast<Function>(next)(arguments...);
  TracedCall call(self.function, self.callers, Told(arguments...));
  if (call.refused()) return *call.refused();
  return call.ended(reinterpret_cast<Function>(next)(arguments...));
}

/// The same for Fortran. `error` is null where the program leaves it out.
template <class... Arguments>
void watched_in_fortran(Watched& self, const void* caller, int* error, Arguments... arguments) {
  using Function = void (*)(Arguments..., int*);
  bool traced;
  void* const next = self.next(caller, traced);
  if (!traced) [[likely]]
    return reinterpret_cast<Function>(next)(arguments..., error);
  TracedCall call(self.function, self.callers, Told(abi::c_value(arguments)...));
  int result = call.refused().value_or(abi::success);
  if (!call.refused()) {
    reinterpret_cast<Function>(next)(arguments..., &result);
    call.ended(result);
  }
  if (error) *error = result;
}

}  // namespace mpigraft::watch

// An entry point of Fortran for a function of C.
#define MPIGRAFT_WATCHED_IN_FORTRAN(name, function, callers, ...)                                         \
  MPIGRAFT_FORTRAN(name, (mpigraft::watch::Watched{#name, #function, mpigraft::watch::Callers::callers}), \
                   mpigraft::watch::watched_in_fortran, __VA_ARGS__)
