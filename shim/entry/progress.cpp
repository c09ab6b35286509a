// SPDX-License-Identifier: MIT
// The entry point of UCX's progress function, by which MPICH drives all messages, and Open MPI may.
#include "shim/entry/progress.hpp"

#include "shim/agree/nodes.hpp"
#include "shim/base/log.hpp"
#include "shim/wait/backoff.hpp"

namespace mpigraft::entry {
namespace {

bool learn() {
  wait::seen_polls = true;
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

namespace {

using Progress = unsigned (*)(void* worker);
constinit abi::ProgressFunction ucp("ucp_worker_progress");

[[gnu::noinline]] unsigned poll(void* progress, void* worker) {
  const unsigned moved = reinterpret_cast<Progress>(progress)(worker);
  wait::driven.count(moved);
  wait::polled(moved > 0);
  return moved;
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
  return of_mpi && mpigraft::wait::counts_polls() ? entry::poll(progress, worker)
                                                  : reinterpret_cast<entry::Progress>(progress)(worker);
}
