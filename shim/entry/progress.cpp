// SPDX-License-Identifier: MIT
// The entry point of UCX's progress function, by which MPICH drives all messages, and Open MPI may.
#include "shim/entry/progress.hpp"

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

int nothing(void*) { return 0; }

bool learn() {
  wait::seen_looks = true;
  base::without_memory_silent([] {
    const base::HostFacts mine = base::host_facts();
    wait::learn_whether_crowded(agree::more_ranks_than_cores(mine, &mine, &mine + 1));
  });
  return true;
}

}  // namespace

void* ProgressFunction::find(const void* caller, bool& of_mpi) {
  const abi::Binding its = function_.bound(name_, caller, abi::Function::Kind::of_progress);
  of_mpi = its.grafted;
  if (!its.function)
    base::without_memory_silent([&] {
      base::log_once("MPI calls " + std::string(name_) +
                     ", which no library defines: messages cannot move; check the installation of MPI");
    });
  if (!its.function) return reinterpret_cast<void*>(&nothing);
  if (!its.grafted) return its.function;
  [[maybe_unused]] static const bool learned = learn();
  const abi::Object object = abi::object_at(caller);
  if ((its.of_all || abi::is_in_grafted(object)) && !published_.exchange(true)) {
    if (!its.of_all) begin_ = reinterpret_cast<std::uintptr_t>(object.begin);
    size_ = its.of_all ? UINTPTR_MAX : object.size;
    of_mpi_.store(its.function, std::memory_order_release);
  }
  return its.function;
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
constinit ProgressFunction ucp("ucp_worker_progress");

[[gnu::noinline]] unsigned look(void* progress, void* worker) {
  const unsigned found = reinterpret_cast<Progress>(progress)(worker);
  if (wait::is_paying()) wait::count_paid_look(found);
  look_is_over(found != 0);
  return found;
}

}  // namespace
}  // namespace mpigraft::entry

extern "C" __attribute__((visibility("default"))) unsigned ucp_worker_progress(void* worker) {
  namespace entry = mpigraft::entry;
  const void* const caller = __builtin_return_address(0);
  bool of_mpi = true;
  void* progress = entry::ucp.known(caller);
  if (!progress) [[unlikely]]
    progress = entry::ucp.find(caller, of_mpi);
  return of_mpi && entry::more_to_do() ? entry::look(progress, worker)
                                       : reinterpret_cast<entry::Progress>(progress)(worker);
}
