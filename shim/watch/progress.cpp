// SPDX-License-Identifier: MIT
// The entry points of progress functions. Between two polls of MPI this rank notices how long it has waited, without a
// thread of its own.
#include "shim/abi/binding.hpp"
#include "shim/abi/fabric.hpp"
#include "shim/watch/trace_file.hpp"

namespace mpigraft::watch {
namespace {

constinit abi::ProgressFunction ucp("ucp_worker_progress"), opal("opal_progress");
constinit abi::Function fi_fabric("fi_fabric");

/// The next definition, for a tail call: it may ask who called.
void* next_of(abi::ProgressFunction& function, const void* caller) {
  bool of_mpi = true;
  void* next = function.known(caller);
  if (!next) [[unlikely]]
    next = function.find(caller, of_mpi);
  if (of_mpi) notice_look();
  return next;
}

}  // namespace
}  // namespace mpigraft::watch

namespace watch = mpigraft::watch;

extern "C" __attribute__((visibility("default"))) unsigned ucp_worker_progress(void* worker) {
  void* const next = watch::next_of(watch::ucp, __builtin_return_address(0));
  return reinterpret_cast<unsigned (*)(void*)>(next)(worker);
}

extern "C" __attribute__((visibility("default"))) int opal_progress() {
  void* const next = watch::next_of(watch::opal, __builtin_return_address(0));
  return reinterpret_cast<int (*)()>(next)();
}

extern "C" __attribute__((visibility("default"))) int fi_fabric(void* attributes, void** fabric, void* context) {
  return mpigraft::abi::open_fabric(watch::fi_fabric, __builtin_return_address(0), attributes, fabric, context,
                                    &watch::notice_look);
}
