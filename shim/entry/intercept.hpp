// SPDX-License-Identifier: MIT
#pragma once

#include "shim/abi/binding.hpp"
#include "shim/abi/call.hpp"
#include "shim/abi/fortran.hpp"

namespace mpigraft::entry {

/// Grafts the call or forwards it. `caller` is its return address. Returns MPI's error code.
int intercepted(const abi::RawCall& call, const void* caller);

/// The same for a function of the table, with its arguments in C.
template <Collective collective, bool equal, class... Arguments>
[[gnu::always_inline]] inline int make(const void* caller, Arguments... arguments) {
  return abi::as_call(
      collective, equal, [caller](const abi::RawCall& call) { return intercepted(call, caller); }, arguments...);
}

/// Makes a call of Fortran by `c_function`, which also gets the caller. Another MPI, or a serial stand-in for one, may
/// have a function of the same name.
template <auto c_function, class... Arguments>
void in_fortran(abi::Function& definition, const void* caller, int* error, Arguments... arguments) {
  if (void* const elsewhere = definition.elsewhere(caller))
    return reinterpret_cast<void (*)(Arguments..., int*)>(elsewhere)(arguments..., error);
  const int result = c_function(caller, abi::c_value(arguments)...);
  if (error) *error = result;
}

}  // namespace mpigraft::entry

// The entry point `name` of Fortran, which calls the C function of this library.
#define MPIGRAFT_BY_C(name, function, ...)                                                                       \
  extern "C" int function(MPIGRAFT_LIST(MPIGRAFT_Narrow_PARAMETER, __VA_ARGS__));                                \
  MPIGRAFT_FORTRAN(name, mpigraft::abi::Function(#name),                                                         \
                   (mpigraft::entry::in_fortran<[](const void*, auto... given) { return function(given...); }>), \
                   __VA_ARGS__)
