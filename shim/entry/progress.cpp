// SPDX-License-Identifier: MIT
// The entry point of UCX's progress function, by which MPICH drives all messages, and Open MPI may.
#include "shim/entry/progress.hpp"

#include "shim/agree/nodes.hpp"
#include "shim/base/log.hpp"
#include "shim/wait/debt.hpp"
#include "shim/wait/fiber.hpp"
#include "shim/wait/looks.hpp"
#include "shim/wait/waiter.hpp"

namespace mpigraft::entry {
namespace {

bool learn() {
  wait::seen_looks = true;
  base::ignore_bad_alloc([] {
    const base::HostFacts mine = base::host_facts();
    wait::learn_whether_oversubscribed(agree::more_ranks_than_cores(mine, &mine, &mine + 1));
  });
  return true;
}

}  // namespace

void* find(abi::ProgressFunction& function, const void* caller, bool& of_mpi) {
  void* const found = function.find(caller, of_mpi);
  if (of_mpi) [[maybe_unused]]
    static const bool learned = learn();
  return found;
}

bool more_to_do() {
  return wait::beside_program() || wait::has_jobs() || wait::follows_looks.load(std::memory_order_relaxed) ||
         wait::is_paying();
}

void look_is_over(bool found) {
  if (wait::beside_program()) return;
  const bool moved = wait::has_jobs() && wait::carry_on();
  if (wait::follows_looks.load(std::memory_order_relaxed)) wait::looked(found || moved);
}

namespace {

using Progress = unsigned (*)(void* worker);
constinit abi::ProgressFunction ucp("ucp_worker_progress");

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
    progress = entry::find(entry::ucp, caller, of_mpi);
  return of_mpi && entry::more_to_do() ? entry::look(progress, worker)
                                       : reinterpret_cast<entry::Progress>(progress)(worker);
}
