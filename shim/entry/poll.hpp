// SPDX-License-Identifier: MIT
// Polls are functions that look whether something has happened, and do not wait for it. Their entry points pay the debt
// of progress that grafted collectives have left, and pass the call unchanged to the next definition.
#pragma once

#include "shim/abi/binding.hpp"
#include "shim/abi/other_functions.hpp"
#include "shim/wait/progress.hpp"

namespace mpigraft::entry {

/// Makes a call before which something is to be done.
template <class Result, class... Arguments>
[[gnu::noinline, gnu::cold]] Result prepared(abi::Function& poll, const void* caller, Arguments... arguments) {
  if (wait::owes_progress()) wait::pay_debt();
  return reinterpret_cast<Result (*)(Arguments...)>(poll.next(caller).function)(arguments...);
}

template <class Result, class... Arguments>
[[gnu::always_inline]] inline Result call(abi::Function& poll, abi::Caller caller, Arguments... arguments) {
  void* const next = poll.of_all();
  if (next && !wait::owes_progress()) [[likely]]
    return reinterpret_cast<Result (*)(Arguments...)>(next)(arguments...);
  return prepared<Result>(poll, caller, arguments...);
}

template <class... Arguments>
[[gnu::always_inline]] inline void call_in_fortran(abi::Function& poll, abi::Caller caller, int* error,
                                                   Arguments... arguments) {
  call<void>(poll, caller, arguments..., error);
}

}  // namespace mpigraft::entry

#define MPIGRAFT_POLL_IN_FORTRAN(name, ...) \
  MPIGRAFT_FORTRAN(name, mpigraft::abi::Function(#name), mpigraft::entry::call_in_fortran, __VA_ARGS__)
