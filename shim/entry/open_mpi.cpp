// SPDX-License-Identifier: MIT
// The entry point of Open MPI's progress function opal_progress, by which every call that blocks drives all messages.
// Open MPI can yield the core between two polls itself, but knows only from its launcher whether cores are short.
#include <dlfcn.h>

#include "shim/entry/progress.hpp"
#include "shim/wait/backoff.hpp"

namespace mpigraft::entry {
namespace {

using Progress = int (*)();  // some versions return nothing, and callers then ignore the result
constinit abi::ProgressFunction opal("opal_progress");

/// The library's own variable that makes it yield the core between two polls; null: it has none.
bool* yields_when_idle() {
  static auto* const variable = static_cast<bool*>(dlsym(RTLD_DEFAULT, "opal_progress_yield_when_idle"));
  return variable;
}

[[gnu::noinline]] int poll(void* progress) {
  if (wait::backs_off_in_mpi.load(std::memory_order_relaxed))
    if (bool* const yields = yields_when_idle()) *yields = true;
  const int result = reinterpret_cast<Progress>(progress)();
  constexpr bool moved = true;  // not known; `true` avoids sleeps, which made programs slower on top of its yields
  wait::polled(moved);
  return result;
}

}  // namespace
}  // namespace mpigraft::entry

extern "C" __attribute__((visibility("default"))) int opal_progress() {
  namespace entry = mpigraft::entry;
  const void* const caller = __builtin_return_address(0);
  bool of_mpi = true;
  void* progress = entry::opal.known(caller);
  if (!progress) [[unlikely]]
    progress = entry::find(entry::opal, caller, of_mpi);
  return of_mpi && mpigraft::wait::counts_polls() ? entry::poll(progress)
                                                  : reinterpret_cast<entry::Progress>(progress)();
}
