// SPDX-License-Identifier: MIT
#pragma once

#include "shim/abi/binding.hpp"
#include "shim/abi/call.hpp"
#include "shim/abi/fortran.hpp"
#include "shim/abi/library.hpp"
#include "shim/entry/made_call.hpp"

namespace mpigraft::entry {

/// Grafts the call or forwards it. `caller` is its return address. Returns MPI's error code.
int intercepted(const abi::RawCall& call, const void* caller);

/// The same for a function of the table, with its arguments in C. A call that stays native costs little more than the
/// comparison with the last one: it is never stored, because only a copy of it has an address.
/// `definition`: of that function; null: it is known that no other one must get the call.
template <Collective collective, bool equal, class... Arguments>
[[gnu::always_inline]] inline int make(abi::Function* definition, const void* caller, Arguments... arguments) {
  using InC = int (*)(Arguments...);
  const abi::NativeForms& forms = abi::native_forms[static_cast<std::size_t>(collective)][equal];
  void* const native = (abi::is_large<Arguments> || ...) ? forms.large : forms.narrow;
  const auto graft = [=](const abi::RawCall& call) __attribute__((always_inline)) {
    if (native && stays_native(call)) return reinterpret_cast<InC>(native)(arguments...);
    if (definition && abi::callers_differ.load(std::memory_order_relaxed)) [[unlikely]]
      if (void* const elsewhere = definition->elsewhere(caller)) return reinterpret_cast<InC>(elsewhere)(arguments...);
    return intercepted(abi::RawCall(call), caller);
  };
  return abi::as_call(collective, equal, graft, arguments...);
}

/// Makes a call of Fortran by `function`, which also gets the caller. Another MPI, or a serial stand-in for one, may
/// have a function of the same name.
template <auto function, class... Arguments>
void in_fortran(abi::Function& definition, const void* caller, int* error, Arguments... arguments) {
  if (void* const elsewhere = definition.elsewhere(caller))
    return reinterpret_cast<void (*)(Arguments..., int*)>(elsewhere)(arguments..., error);
  const int result = function(caller, arguments...);
  if (error) *error = result;
}

/// Calls a C function with arguments of Fortran.
template <auto function, class... Arguments>
int by_c(Arguments... arguments) {
  return function(abi::c_value(arguments)...);
}

/// The same with an array of requests, which are converted one by one.
template <auto function>
int by_c(const abi::Narrow::number* number, abi::Narrow::requests requests) {
  using abi::Narrow;
  const int n = static_cast<int>(*number);
  if (n < 1 || !abi::conversion_of(Narrow::request{}).to_c) return function(*number, requests);
  int error = abi::success;
  for (int i = 0; i < n && error == abi::success; ++i) {
    abi::InC request(reinterpret_cast<Narrow::request>(reinterpret_cast<int*>(requests) + i));
    error = function(Narrow::number{1}, reinterpret_cast<Narrow::requests>(static_cast<Narrow::request>(request)));
  }
  return error;
}

}  // namespace mpigraft::entry

// The entry point `name` of Fortran, which calls the C function of this library.
#define MPIGRAFT_BY_C(name, function, ...)                                                                             \
  extern "C" int function(MPIGRAFT_LIST(MPIGRAFT_Narrow_PARAMETER, __VA_ARGS__));                                      \
  MPIGRAFT_FORTRAN(name, mpigraft::abi::Function(#name), (mpigraft::entry::in_fortran<[](const void*, auto... given) { \
                     return mpigraft::entry::by_c<function>(given...);                                                 \
                   }>),                                                                                                \
                   __VA_ARGS__)
