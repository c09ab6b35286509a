// SPDX-License-Identifier: MIT
// The entry points of functions in which MPI, or a communicator, begins or ends.
#include "shim/abi/binding.hpp"
#include "shim/abi/constants.hpp"
#include "shim/abi/functions.hpp"
#include "shim/entry/communicator.hpp"
#include "shim/observe/report.hpp"

namespace mpigraft::entry {
namespace {

/// The attribute that is set first on MPI_COMM_SELF is deleted last, after the program's delete functions have made
/// their last collectives (MPI-4.0, 11.2.4).
int begun(const abi::Binding& next, int error) {
  if (next.grafted && error == abi::success) watch_finalize();
  return error;
}

/// Until MPI has returned, delete functions of the program may make collectives on the communicator.
int free_by(const abi::Binding& next, void* comm) {
  auto* const free = reinterpret_cast<int (*)(void*)>(next.function);
  if (!next.grafted) return free(comm);
  const abi::Comm freed = comm ? abi::comm_at(comm) : abi::Comm::null;
  const Freeing freeing(freed);
  if (freeing.refused) return *freeing.refused;
  const int error = free(comm);
  if (comm && abi::comm_at(comm) == freed) freeing.is_in_vain();  // MPI_Comm_disconnect may return no error then
  return error;
}

}  // namespace
}  // namespace mpigraft::entry

using mpigraft::abi::Function;
namespace entry = mpigraft::entry;

extern "C" __attribute__((visibility("default"))) int MPI_Init(int* argc, char*** argv) {
  static constinit Function its;
  const auto next = its.next("MPI_Init", __builtin_return_address(0));
  return entry::begun(next, reinterpret_cast<decltype(&MPI_Init)>(next.function)(argc, argv));
}

extern "C" __attribute__((visibility("default"))) int MPI_Init_thread(int* argc, char*** argv, int required,
                                                                      int* provided) {
  static constinit Function its;
  const auto next = its.next("MPI_Init_thread", __builtin_return_address(0));
  return entry::begun(next,
                      reinterpret_cast<decltype(&MPI_Init_thread)>(next.function)(argc, argv, required, provided));
}

extern "C" __attribute__((visibility("default"))) int MPI_Comm_free(void* comm) {
  static constinit Function its;
  return entry::free_by(its.next("MPI_Comm_free", __builtin_return_address(0)), comm);
}

extern "C" __attribute__((visibility("default"))) int MPI_Comm_disconnect(void* comm) {
  static constinit Function its;
  return entry::free_by(its.next("MPI_Comm_disconnect", __builtin_return_address(0)), comm);
}

extern "C" __attribute__((visibility("default"))) int MPI_Finalize() {
  static constinit Function its;
  const auto next = its.next("MPI_Finalize", __builtin_return_address(0));
  if (next.grafted && mpigraft::observe::asks_for_report() && mpigraft::abi::is_up()) entry::watch_finalize();
  return reinterpret_cast<decltype(&MPI_Finalize)>(next.function)();
}
