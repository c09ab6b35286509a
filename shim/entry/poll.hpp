// SPDX-License-Identifier: MIT
// Polls are functions that look whether something has happened, and do not wait for it. Their entry points pay the debt
// of progress that grafted collectives have left, and pass the call unchanged to the next definition.
#pragma once

#include "shim/abi/other_functions.hpp"
#include "shim/abi/parameters.hpp"
#include "shim/entry/next_definition.hpp"
#include "shim/wait/progress.hpp"

namespace mpigraft::entry {

/// Makes a call before which something is to be done.
template <class Result, class... Arguments>
[[gnu::noinline, gnu::cold]] Result prepared(NextDefinition& poll, const void* caller, Arguments... arguments) {
  if (wait::owes_progress()) wait::pay_debt();
  return reinterpret_cast<Result (*)(Arguments...)>(poll.find(caller))(arguments...);
}

template <class Result, class... Arguments>
[[gnu::always_inline]] inline Result call(NextDefinition& poll, abi::Caller caller, Arguments... arguments) {
  void* const next = poll.of_all();
  if (next && !wait::owes_progress()) [[likely]]
    return reinterpret_cast<Result (*)(Arguments...)>(next)(arguments...);
  return prepared<Result>(poll, caller, arguments...);
}

template <class... Arguments>
[[gnu::always_inline]] inline void call_in_fortran(NextDefinition& poll, abi::Caller caller, int* error,
                                                   Arguments... arguments) {
  call<void>(poll, caller, arguments..., error);
}

}  // namespace mpigraft::entry

#define MPIGRAFT_POLL_IN_FORTRAN(name, ...) \
  MPIGRAFT_FORTRAN(name, mpigraft::entry::NextDefinition(#name), mpigraft::entry::call_in_fortran, __VA_ARGS__)
