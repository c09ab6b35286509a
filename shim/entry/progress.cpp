// SPDX-License-Identifier: MIT
// The entry point that is not MPI's: MPICH drives all messages through this function of UCX, from every call that
// blocks, in whatever language it was made.
#include <dlfcn.h>

#include <atomic>

#include "shim/abi/library.hpp"
#include "shim/agree/nodes.hpp"
#include "shim/base/log.hpp"
#include "shim/wait/fiber.hpp"
#include "shim/wait/looks.hpp"
#include "shim/wait/waiter.hpp"
#include "shim/wait/watch.hpp"

namespace mpigraft::entry {
namespace {

using Progress = unsigned (*)(void* worker);
constexpr const char* name = "ucp_worker_progress";

unsigned nothing(void*) { return 0; }

/// UCX's own; behind `caller` where dlopen(RTLD_LOCAL) hides it.
Progress next(const void* caller) {
  void* found = dlsym(RTLD_NEXT, name);
  if (void* const object = found ? nullptr : abi::keep_object_of(caller)) {
    found = dlsym(object, name);
    dlclose(object);
  }
  if (found) return reinterpret_cast<Progress>(found);
  base::log_once("UCX has no ucp_worker_progress, which MPI calls: messages cannot move");
  return nothing;
}

/// At the first look, which is in MPI_Init: what the launcher tells, before ranks have told each other more.
void learn(const void* caller) {
  base::without_memory_silent([&] {
    if (!abi::graftable(caller)) return;
    const base::HostFacts mine = base::host_facts();
    wait::learn_whether_crowded(agree::more_ranks_than_cores(mine, &mine, &mine + 1));
  });
}

std::atomic<Progress> known{nullptr};

[[gnu::noinline, gnu::cold]] Progress first_look(const void* caller) {
  static const Progress found = [=] {
    wait::seen_looks = true;
    learn(caller);
    return next(caller);
  }();
  known.store(found, std::memory_order_relaxed);
  return found;
}

/// Whether a look leaves something to do here: most calls find nothing, and a message of MPI's takes several looks.
bool more_to_do() {
  return wait::beside_program() || wait::has_jobs() || wait::watch.load(std::memory_order_relaxed) ||
         wait::follows_looks.load(std::memory_order_relaxed);
}

[[gnu::noinline]] unsigned look(Progress progress, void* worker) {
  const unsigned found = progress(worker);
  if (wait::beside_program()) return found;
  const bool moved = wait::has_jobs() && wait::carry_on();
  wait::watched_looks();
  if (wait::follows_looks.load(std::memory_order_relaxed)) wait::looked(found != 0 || moved);
  return found;
}

}  // namespace
}  // namespace mpigraft::entry

extern "C" __attribute__((visibility("default"))) unsigned ucp_worker_progress(void* worker) {
  namespace entry = mpigraft::entry;
  entry::Progress progress = entry::known.load(std::memory_order_relaxed);
  if (!progress) [[unlikely]]
    progress = entry::first_look(__builtin_return_address(0));
  return entry::more_to_do() ? entry::look(progress, worker) : progress(worker);
}
