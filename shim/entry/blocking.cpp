// SPDX-License-Identifier: MIT
// The entry points of MPI's other functions that block. They trace the call if a trace is wanted, and pass it unchanged
// to the next definition of the function, a tool's or MPI's own.
#include "shim/abi/blocking.hpp"

#include <atomic>
#include <string>
#include <utility>

#include "shim/abi/binding.hpp"
#include "shim/abi/constants.hpp"
#include "shim/abi/functions.hpp"
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

constinit std::array<abi::Function, abi::blocking.size()> functions;

using Targets = std::array<std::atomic<void*>, abi::blocking.size()>;
Targets found;     // the next definitions, of the MPI library that is grafted; null: not yet looked for
Targets untraced;  // the functions that all calls go to; null until it is known that they are not traced

using Call = int (*)(void* function, const Word* words);

int call_traced(const Blocking& function, void* next, const Word* words, Call call) {
  const observe::Blocked blocked(function, words);
  if (blocked.refused()) return *blocked.refused();
  return blocked.ended(call(next, words));
}

/// Makes a call that reaches the MPI library that is grafted, by `next`, with a trace if one is wanted.
int make(Function f, const Word* words, Call call, void* next) {
  if (f == Finalize && observe::asks_for_report() && abi::is_up()) watch_finalize();
  if (!observe::asks_for_trace() || !abi::is_up()) return call(next, words);
  const Blocking& function = abi::blocking[f];
  if (f != Finalize) return call_traced(function, next, words, call);
  observe::trace_end();
  const int error = call_traced(function, next, words, call);
  observe::trace_over();
  return error;
}

/// Makes a call that cannot go straight to untraced[f]. `graft` is the function of ours that makes it, or null.
[[gnu::noinline]] int examine(Function f, const Word* words, Call call, void* graft, const void* caller) {
  const abi::Binding its = functions[f].bound(abi::blocking[f].function.data(), caller);
  if (!its.function) {
    base::without_memory_silent([&] {
      base::log_once("the MPI library lacks " + std::string(abi::blocking[f].function) + ": the call fails");
    });
    return abi::err_intern;
  }
  const bool seen = its.grafted && !base::disabled();
  void* const next = seen && graft ? graft : its.function;
  if (seen) found[f].store(its.function, std::memory_order_relaxed);
  if (its.of_all && !(seen && observe::asks_for_trace())) untraced[f].store(next, std::memory_order_relaxed);
  return seen ? make(f, words, call, next) : call(next, words);
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

/// Initializes MPI. The attribute that is set first on MPI_COMM_SELF is deleted last, after the program's delete
/// functions have made their last collectives (MPI-4.0, 11.2.4).
template <Function f, class... Words>
int initialize(Words... words) {
  const int error = reinterpret_cast<int (*)(Words...)>(found[f].load(std::memory_order_relaxed))(words...);
  if (error == abi::success) watch_finalize();
  return error;
}

/// Frees a communicator. Until MPI has returned, delete functions of the program may make collectives on it.
template <Function f, class... Words>
int free_communicator(Words... words) {
  const Word all[] = {words...};
  const auto* const place = reinterpret_cast<const void*>(all[0]);
  const Freeing freeing(place ? abi::comm_at(place) : abi::Comm::null);
  return reinterpret_cast<int (*)(Words...)>(found[f].load(std::memory_order_relaxed))(words...);
}

template <Function f, class... Words>
[[gnu::noinline]] int examine_words(const void* caller, Words... words) {
  const std::array<Word, sizeof...(words) + 1> all{words...};
  void* grafting = nullptr;
  if constexpr (nonblocking_form(abi::blocking[f].function)) grafting = reinterpret_cast<void*>(&graft<f, Words...>);
  if constexpr (f == Comm_free || f == Comm_disconnect)
    grafting = reinterpret_cast<void*>(&free_communicator<f, Words...>);
  if constexpr (f == Init || f == Init_thread) grafting = reinterpret_cast<void*>(&initialize<f, Words...>);
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
