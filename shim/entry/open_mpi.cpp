// SPDX-License-Identifier: MIT
// The entry point of Open MPI's progress function opal_progress, by which every call that blocks drives all messages.
// Open MPI can yield the core between two looks itself, but knows only from its launcher whether cores are short.
#include <dlfcn.h>

#include <atomic>

#include "shim/entry/progress.hpp"
#include "shim/wait/looks.hpp"

namespace mpigraft::entry {
namespace {

using Progress = int (*)();  // some versions return nothing, and callers then ignore the result
std::atomic<Progress> known{nullptr};
bool* yields_when_idle = nullptr;  // the library's own variable

int nothing() { return 0; }

[[gnu::noinline, gnu::cold]] Progress first_look(const void* caller) {
  static void* const found = begin_looks("opal_progress", caller);
  yields_when_idle = static_cast<bool*>(dlsym(RTLD_DEFAULT, "opal_progress_yield_when_idle"));
  known = found ? reinterpret_cast<Progress>(found) : nothing;
  return known;
}

[[gnu::noinline]] int look(Progress progress) {
  if (yields_when_idle && wait::follows_looks.load(std::memory_order_relaxed)) *yields_when_idle = true;
  const int result = progress();
  constexpr bool found = true;  // not known; `true` avoids naps, which made programs slower on top of its yields
  look_is_over(found);
  return result;
}

}  // namespace
}  // namespace mpigraft::entry

extern "C" __attribute__((visibility("default"))) int opal_progress() {
  namespace entry = mpigraft::entry;
  entry::Progress progress = entry::known.load(std::memory_order_relaxed);
  if (!progress) [[unlikely]]
    progress = entry::first_look(__builtin_return_address(0));
  return entry::more_to_do() ? entry::look(progress) : progress();
}
