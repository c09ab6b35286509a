// SPDX-License-Identifier: MIT
// THE table of functions that look whether something has happened, and do not wait for it. Their entry points pay the
// debt of progress that grafted collectives have left, and pass the call unchanged to the next definition.
#pragma once

#include <atomic>

#include "shim/abi/binding.hpp"
#include "shim/base/parameters.hpp"
#include "shim/wait/progress.hpp"

// A row has the function, its name in Fortran in two spellings, and its parameters.
// clang-format off
#define MPIGRAFT_LOOKING(X)                                                                                                    \
  X(Iprobe, iprobe, IPROBE, source, tag, comm, flag, status)                                                                   \
  X(Improbe, improbe, IMPROBE, source, tag, comm, flag, message, status)                                                       \
  X(Test, test, TEST, request, flag, status)                                                                                   \
  X(Testall, testall, TESTALL, count, requests, flag, statuses)                                                                \
  X(Testany, testany, TESTANY, count, requests, index, flag, status)                                                           \
  X(Testsome, testsome, TESTSOME, incount, requests, outcount, indices, statuses)                                              \
  X(Request_get_status, request_get_status, REQUEST_GET_STATUS, request, flag, status)                                         \
  X(Request_get_status_all, request_get_status_all, REQUEST_GET_STATUS_ALL, count, requests, flag, statuses)                   \
  X(Request_get_status_any, request_get_status_any, REQUEST_GET_STATUS_ANY, count, requests, index, flag, status)              \
  X(Request_get_status_some, request_get_status_some, REQUEST_GET_STATUS_SOME, incount, requests, outcount, indices, statuses) \
  X(Parrived, parrived, PARRIVED, request, partition, flag)                                                                    \
  X(Win_test, win_test, WIN_TEST, win, flag)
// clang-format on

namespace mpigraft::entry {

/// A function that looks, of which this library has a definition.
struct Looking {
  const char* name;
  std::atomic<void*> next{nullptr};  // the next definition for all callers; null: it is not known, or they differ
  abi::Function of_callers{};

  /// Finds the definition that the caller reaches without us.
  void* find(const void* caller);
};

template <class... Words>
int call_looking(void* function, Words... words) {
  return reinterpret_cast<int (*)(Words...)>(function)(words...);
}

/// Makes a call before which something is to be done.
template <class... Words>
[[gnu::noinline, gnu::cold]] int prepared(Looking& function, const void* caller, Words... words) {
  if (wait::owes_progress()) wait::pay_debt();
  void* next = function.next.load(std::memory_order_relaxed);
  if (!next) next = function.find(caller);
  return call_looking(next, words...);
}

template <class... Words>
[[gnu::always_inline]] inline int look(Looking& function, const void* caller, Words... words) {
  void* const next = function.next.load(std::memory_order_relaxed);
  if (next && !wait::owes_progress()) [[likely]]
    return call_looking(next, words...);
  return prepared(function, caller, words...);
}

}  // namespace mpigraft::entry

// The entry point of a function with these parameters, each as wide as a register.
#define MPIGRAFT_LOOKING_ENTRY(function, ...)                                                                 \
  extern "C" __attribute__((visibility("default"))) int function(MPIGRAFT_LIST(MPIGRAFT_WORD, __VA_ARGS__)) { \
    static constinit mpigraft::entry::Looking self{#function};                                                \
    return mpigraft::entry::look(self, __builtin_return_address(0), __VA_ARGS__);                             \
  }
#define MPIGRAFT_WORD(name) std::uintptr_t name

// Fortran passes all arguments by reference, and the error last.
#define MPIGRAFT_LOOKING_ENTRY_OF_FORTRAN(function, ...) MPIGRAFT_LOOKING_ENTRY(function, __VA_ARGS__, error)
