// SPDX-License-Identifier: MIT
// The entry point of UCX's progress function, by which MPICH drives all messages, and Open MPI may.
#include "shim/entry/progress.hpp"

#include <dlfcn.h>

#include <atomic>
#include <string>

#include "shim/abi/library.hpp"
#include "shim/agree/nodes.hpp"
#include "shim/base/log.hpp"
#include "shim/wait/debt.hpp"
#include "shim/wait/fiber.hpp"
#include "shim/wait/looks.hpp"
#include "shim/wait/waiter.hpp"
#include "shim/wait/watch.hpp"

namespace mpigraft::entry {
namespace {

void learn(const void* caller) {
  base::without_memory_silent([&] {
    if (!abi::graftable(caller)) return;
    const base::HostFacts mine = base::host_facts();
    wait::learn_whether_crowded(agree::more_ranks_than_cores(mine, &mine, &mine + 1));
  });
}

}  // namespace

void* begin_looks(const char* name, const void* caller) {
  wait::seen_looks = true;
  learn(caller);
  void* found = dlsym(RTLD_NEXT, name);
  if (void* const object = found ? nullptr : abi::keep_object_of(caller)) {
    found = dlsym(object, name);
    dlclose(object);
  }
  if (!found)
    base::without_memory_silent([&] {
      base::log_once("MPI calls " + std::string(name) +
                     ", which no library defines: messages cannot move; check the installation of MPI");
    });
  return found;
}

bool more_to_do() {
  return wait::beside_program() || wait::has_jobs() || wait::watch.load(std::memory_order_relaxed) ||
         wait::follows_looks.load(std::memory_order_relaxed) || wait::is_paying();
}

void look_is_over(bool found) {
  if (wait::beside_program()) return;
  const bool moved = wait::has_jobs() && wait::carry_on();
  wait::watched_looks();
  if (wait::follows_looks.load(std::memory_order_relaxed)) wait::looked(found || moved);
}

namespace {

using Progress = unsigned (*)(void* worker);
std::atomic<Progress> known{nullptr};

unsigned nothing(void*) { return 0; }

[[gnu::noinline, gnu::cold]] Progress first_look(const void* caller) {
  static void* const found = begin_looks("ucp_worker_progress", caller);
  known = found ? reinterpret_cast<Progress>(found) : nothing;
  return known;
}

[[gnu::noinline]] unsigned look(Progress progress, void* worker) {
  const unsigned found = progress(worker);
  if (wait::is_paying()) wait::count_paid_look(found);
  look_is_over(found != 0);
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
