// SPDX-License-Identifier: MIT
// THE table of functions that look whether something has happened, and do not wait for it. Their entry points pay the
// debt of progress that grafted collectives have left, and pass the call unchanged to the next definition.
#pragma once

#include <atomic>

#include "shim/abi/binding.hpp"
#include "shim/abi/constants.hpp"
#include "shim/entry/words.hpp"
#include "shim/wait/debt.hpp"

// A row has the function, its name in Fortran in two spellings, and its number of arguments in C.
// clang-format off
#define MPIGRAFT_LOOKING(X)                                                       \
  X(Iprobe, iprobe, IPROBE, 5)                                                    \
  X(Improbe, improbe, IMPROBE, 6)                                                 \
  X(Test, test, TEST, 3)                                                          \
  X(Testall, testall, TESTALL, 4)                                                 \
  X(Testany, testany, TESTANY, 5)                                                 \
  X(Testsome, testsome, TESTSOME, 5)                                              \
  X(Request_get_status, request_get_status, REQUEST_GET_STATUS, 3)                \
  X(Request_get_status_all, request_get_status_all, REQUEST_GET_STATUS_ALL, 4)    \
  X(Request_get_status_any, request_get_status_any, REQUEST_GET_STATUS_ANY, 5)    \
  X(Request_get_status_some, request_get_status_some, REQUEST_GET_STATUS_SOME, 5) \
  X(Parrived, parrived, PARRIVED, 3)                                              \
  X(Win_test, win_test, WIN_TEST, 2)
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
  return next ? call_looking(next, words...) : abi::err_intern;
}

template <class... Words>
[[gnu::always_inline]] inline int look(Looking& function, const void* caller, Words... words) {
  void* const next = function.next.load(std::memory_order_relaxed);
  if (next && !wait::owes_progress()) [[likely]]
    return call_looking(next, words...);
  return prepared(function, caller, words...);
}

}  // namespace mpigraft::entry

#define MPIGRAFT_LOOKING_ENTRY(function, TAKES, ...)                             \
  extern "C" __attribute__((visibility("default"))) int function(TAKES) {        \
    static constinit mpigraft::entry::Looking self{#function};                   \
    return mpigraft::entry::look(self, __builtin_return_address(0) __VA_ARGS__); \
  }

// Fortran passes all arguments by reference, and the error last.
#define MPIGRAFT_COMMA ,
#define MPIGRAFT_LOOKING_ENTRY_OF_FORTRAN(function, n) \
  MPIGRAFT_LOOKING_ENTRY(function, TAKES_##n MPIGRAFT_COMMA mpigraft::entry::Word error, GIVES_##n, error)
