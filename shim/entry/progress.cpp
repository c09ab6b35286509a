// SPDX-License-Identifier: MIT
// The entry points of progress functions, by which MPI drives all messages in every call that blocks: UCX's is MPICH's,
// and may be Open MPI's. If MPICH uses libfabric instead, the function is in the fabric that it opens.
#include <dlfcn.h>

#include "shim/abi/binding.hpp"
#include "shim/abi/fabric.hpp"
#include "shim/agree/negotiation.hpp"
#include "shim/wait/backoff.hpp"

namespace mpigraft::entry {
namespace {

/// Called at MPI's first poll. Learns whether the node is oversubscribed.
void see_polls() { wait::seen_polls = true, agree::learn_from_launcher(); }

/// The definition for a caller that is not known.
void* find(abi::ProgressFunction& function, const void* caller, bool& of_mpi) {
  void* const found = function.find(caller, of_mpi);
  if (of_mpi) see_polls();
  return found;
}

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

constinit abi::Function fi_fabric("fi_fabric");

/// MPI then looks into its own shared memory, too, so it is not known whether a round moves a message.
void before_poll_of_fabric() {
  if (!wait::seen_polls.load(std::memory_order_relaxed)) see_polls();
  if (wait::counts_polls()) wait::before_blind_poll();
}

}  // namespace
}  // namespace mpigraft::entry

extern "C" __attribute__((visibility("default"))) int fi_fabric(void* attributes, void** fabric, void* context) {
  namespace entry = mpigraft::entry;
  return mpigraft::abi::open_fabric(entry::fi_fabric, __builtin_return_address(0), attributes, fabric, context,
                                    &entry::before_poll_of_fabric);
}

extern "C" __attribute__((visibility("default"))) unsigned ucp_worker_progress(void* worker) {
  namespace entry = mpigraft::entry;
  const void* const caller = __builtin_return_address(0);
  void* const progress = entry::ucp.known(caller);
  if (progress && !mpigraft::wait::counts_polls()) return reinterpret_cast<entry::Progress>(progress)(worker);
  return entry::other_poll(progress, worker, caller);
}

#if defined MPIGRAFT_STANDARD_ABI || defined MPIGRAFT_OPEN_MPI

// Open MPI can yield the core between two polls itself, but knows only from its launcher whether cores are short.
namespace mpigraft::entry {
namespace {

using OpalProgress = int (*)();  // some versions return nothing, and callers then ignore the result
constinit abi::ProgressFunction opal("opal_progress");

/// The library's own variable that makes it yield the core between two polls; null: it has none.
bool* yields_when_idle() {
  static auto* const variable = static_cast<bool*>(dlsym(RTLD_DEFAULT, "opal_progress_yield_when_idle"));
  return variable;
}

[[gnu::noinline]] int poll(void* progress) {
  if (wait::backs_off_in_mpi.load(std::memory_order_relaxed))
    if (bool* const yields = yields_when_idle()) *yields = true;
  const int result = reinterpret_cast<OpalProgress>(progress)();
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
                                                  : reinterpret_cast<entry::OpalProgress>(progress)();
}

#endif
