// SPDX-License-Identifier: MIT
// Polls are functions that look whether something has happened, and do not wait for it. Their entry points pay the debt
// of progress that grafted collectives have left, and pass the call unchanged to the next definition.
#pragma once

#include <atomic>

#include "shim/abi/binding.hpp"
#include "shim/abi/other_functions.hpp"
#include "shim/abi/parameters.hpp"
#include "shim/wait/progress.hpp"

namespace mpigraft::entry {

/// A poll of which this library has a definition.
struct Poll {
  explicit constexpr Poll(const char* name) : of_callers(name) {}

  abi::Function of_callers;
  std::atomic<void*> next{nullptr};  // the next definition for all callers; null: it is not known, or they differ

  /// Finds the definition that the caller reaches without us.
  void* find(const void* caller);
};

/// Makes a call before which something is to be done.
template <class Result, class... Arguments>
[[gnu::noinline, gnu::cold]] Result prepared(Poll& poll, const void* caller, Arguments... arguments) {
  if (wait::owes_progress()) wait::pay_debt();
  void* next = poll.next.load(std::memory_order_relaxed);
  if (!next) next = poll.find(caller);
  return reinterpret_cast<Result (*)(Arguments...)>(next)(arguments...);
}

template <class Result, class... Arguments>
[[gnu::always_inline]] inline Result call(Poll& poll, abi::Caller caller, Arguments... arguments) {
  void* const next = poll.next.load(std::memory_order_relaxed);
  if (next && !wait::owes_progress()) [[likely]]
    return reinterpret_cast<Result (*)(Arguments...)>(next)(arguments...);
  return prepared<Result>(poll, caller, arguments...);
}

template <class... Arguments>
[[gnu::always_inline]] inline void call_in_fortran(Poll& poll, abi::Caller caller, int* error, Arguments... arguments) {
  call<void>(poll, caller, arguments..., error);
}

}  // namespace mpigraft::entry

#define MPIGRAFT_POLL_IN_FORTRAN(name, ...) \
  MPIGRAFT_FORTRAN(name, mpigraft::entry::Poll(#name), mpigraft::entry::call_in_fortran, __VA_ARGS__)
