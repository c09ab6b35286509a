// SPDX-License-Identifier: MIT
// The entry points of MPI's other functions that block. They trace the call if a trace is wanted, and pass it unchanged
// to the next definition of the function, a tool's or MPI's own.
#include "shim/abi/blocking.hpp"

#include <atomic>
#include <string>
#include <utility>

#include "shim/abi/constants.hpp"
#include "shim/abi/functions.hpp"
#include "shim/abi/library.hpp"
#include "shim/base/log.hpp"
#include "shim/base/process.hpp"
#include "shim/entry/communicator.hpp"
#include "shim/entry/nonblocking.hpp"
#include "shim/entry/words.hpp"
#include "shim/observe/blocked.hpp"
#include "shim/observe/report.hpp"

namespace mpigraft::entry {
namespace {

using abi::Blocking;  // all arguments are integers or pointers, so each fits in a register

#define NARROW(name, ...) name,
#define LARGE(name, ...) name##_c,
enum Function : std::size_t {
  MPIGRAFT_BLOCKING_WITH_COUNTS(NARROW) MPIGRAFT_BLOCKING_WITH_COUNTS(LARGE) MPIGRAFT_BLOCKING_WITHOUT_COUNTS(NARROW)
};
#undef NARROW
#undef LARGE

using Targets = std::array<std::atomic<void*>, abi::blocking.size()>;
Targets found;     // the next definitions; null: not yet looked for
Targets untraced;  // the functions that calls go to; null until it is known that they are not traced

using Call = int (*)(void* function, const Word* words);

/// True if calls are traced now: a trace is wanted, and MPI is initialized.
bool traced(const void* caller) { return observe::asks_for_trace() && abi::graftable(caller) && abi::is_up(); }

int call_traced(const Blocking& function, void* next, const Word* words, Call call) {
  const observe::Blocked blocked(function, words);
  if (blocked.refused()) return *blocked.refused();
  return blocked.ended(call(next, words));
}

/// Makes a call that cannot go straight to untraced[f]. `graft` is the function of ours that makes it, or null.
[[gnu::noinline]] int examine(Function f, const Word* words, Call call, void* graft, const void* caller) {
  const Blocking& function = abi::blocking[f];
  void* next = found[f].load(std::memory_order_relaxed);
  if (!next) found[f] = next = abi::next_function(function.function, caller);
  if (graft && !base::disabled() && abi::graftable(caller)) next = graft;
  if (!next) {
    base::without_memory_silent(
        [&] { base::log_once("the MPI library lacks " + std::string(function.function) + ": the call fails"); });
    return abi::err_intern;
  }
  if (f == Finalize && observe::asks_for_report() && abi::graftable(caller) && abi::is_up()) watch_finalize();
  if (!observe::asks_for_trace() || !abi::graftable(caller)) untraced[f].store(next, std::memory_order_relaxed);
  if (!traced(caller)) return call(next, words);
  if (f != Finalize) return call_traced(function, next, words, call);
  observe::trace_end();
  const int error = call_traced(function, next, words, call);
  observe::trace_over();
  return error;
}

template <std::size_t... i>
constexpr Call call_of(std::index_sequence<i...>) {
  return [](void* function, const Word* words) {
    return reinterpret_cast<int (*)(decltype(Word{i})...)>(function)(words[i]...);
  };
}

template <Function f, class... Words>
int graft(Words... words) {
  const Word all[] = {words...};
  static constexpr Nonblocking form = *nonblocking_form(abi::blocking[f].function);
  int error = abi::success;
  if (graft_nonblocking(form, abi::blocking[f].large, all, error)) return error;
  return reinterpret_cast<int (*)(Words...)>(found[f].load(std::memory_order_relaxed))(words...);
}

/// Frees a communicator. Until MPI has returned, delete functions of the program may make collectives on it.
template <Function f, class... Words>
int free_communicator(Words... words) {
  const Freeing freeing;
  return reinterpret_cast<int (*)(Words...)>(found[f].load(std::memory_order_relaxed))(words...);
}

template <Function f, class... Words>
[[gnu::noinline]] int examine_words(const void* caller, Words... words) {
  const std::array<Word, sizeof...(words) + 1> all{words...};
  void* grafting = nullptr;
  if constexpr (nonblocking_form(abi::blocking[f].function)) grafting = reinterpret_cast<void*>(&graft<f, Words...>);
  if constexpr (f == Comm_free || f == Comm_disconnect)
    grafting = reinterpret_cast<void*>(&free_communicator<f, Words...>);
  return examine(f, all.data(), call_of(std::index_sequence_for<Words...>()), grafting, caller);
}

template <Function f, class... Words>
[[gnu::always_inline]] inline int blocked(const void* caller, Words... words) {
  if (void* const next = untraced[f].load(std::memory_order_relaxed)) [[likely]]
    return reinterpret_cast<int (*)(Words...)>(next)(words...);
  return examine_words<f>(caller, words...);
}

}  // namespace
}  // namespace mpigraft::entry

#define ENTRY_POINT(name, n)                                                                       \
  static_assert(mpigraft::abi::blocking[mpigraft::entry::name].arguments.size() == n);             \
  extern "C" __attribute__((visibility("default"))) int MPI_##name(TAKES_##n) {                    \
    return mpigraft::entry::blocked<mpigraft::entry::name>(__builtin_return_address(0) GIVES_##n); \
  }
#define NARROW(name, n, ...) ENTRY_POINT(name, n)
#define LARGE(name, n, ...) ENTRY_POINT(name##_c, n)
MPIGRAFT_BLOCKING_WITH_COUNTS(NARROW)
MPIGRAFT_BLOCKING_WITH_COUNTS(LARGE)
MPIGRAFT_BLOCKING_WITHOUT_COUNTS(NARROW)
