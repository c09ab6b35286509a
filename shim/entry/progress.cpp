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
    wait::learn_whether_oversubscribed(agree::more_ranks_than_cores(mine, {&mine, 1}));
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

unsigned poll(void* progress, void* worker) {
  const unsigned moved = reinterpret_cast<Progress>(progress)(worker);
  wait::driven.count(moved);
  wait::polled(moved > 0);
  return moved;
}

/// A poll that is counted, or whose caller is not known. Apart, so that any other is a jump.
[[gnu::noinline]] unsigned other_poll(void* progress, void* worker, const void* caller) {
  bool of_mpi = true;
  if (!progress) progress = find(ucp, caller, of_mpi);
  return of_mpi && wait::counts_polls() ? poll(progress, worker) : reinterpret_cast<Progress>(progress)(worker);
}

}  // namespace
}  // namespace mpigraft::entry

extern "C" __attribute__((visibility("default"))) unsigned ucp_worker_progress(void* worker) {
  namespace entry = mpigraft::entry;
  const void* const caller = __builtin_return_address(0);
  void* const progress = entry::ucp.known(caller);
  if (progress && !mpigraft::wait::counts_polls()) return reinterpret_cast<entry::Progress>(progress)(worker);
  return entry::other_poll(progress, worker, caller);
}
