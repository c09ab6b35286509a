// SPDX-License-Identifier: MIT
// The entry points of functions in which MPI, or a communicator, begins or ends.
#include "shim/abi/binding.hpp"
#include "shim/abi/functions.hpp"
#include "shim/abi/other_functions.hpp"
#include "shim/abi/parameters.hpp"
#include "shim/entry/communicator.hpp"
#include "shim/observe/report.hpp"

namespace mpigraft::entry {
namespace {

using abi::Function;

template <class... Arguments>
int call(const abi::Binding& next, Arguments... arguments) {
  return reinterpret_cast<int (*)(Arguments...)>(next.function)(arguments...);
}

/// The attribute that is set first on MPI_COMM_SELF is deleted last, after the program's delete functions have made
/// their last collectives (MPI-4.0, 11.2.4).
template <class... Arguments>
int begin(Function& definition, const void* caller, Arguments... arguments) {
  const abi::Binding next = definition.next(caller);
  const int error = call(next, arguments...);
  if (next.grafted && error == abi::success) watch_finalize();
  return error;
}

/// Until MPI has returned, delete functions of the program may make collectives on the communicator.
int end(Function& definition, const void* caller, abi::Narrow::oldcomm comm) {
  const abi::Binding next = definition.next(caller);
  if (!next.grafted) return call(next, comm);
  const abi::Comm freed = comm ? abi::comm_at(comm) : abi::Comm::null;
  const Freeing freeing(freed);
  if (freeing.refused) return *freeing.refused;
  const int error = call(next, comm);
  if (comm && abi::comm_at(comm) == freed) freeing.is_in_vain();  // MPI_Comm_disconnect may return no error then
  return error;
}

int end(Function& definition, const void* caller) {
  const abi::Binding next = definition.next(caller);
  if (next.grafted && observe::asks_for_report() && abi::is_up()) watch_finalize();
  return call(next);
}

}  // namespace
}  // namespace mpigraft::entry

#define BEGINS(name, ...) \
  MPIGRAFT_C(MPI_##name, Narrow, mpigraft::abi::Function("MPI_" #name), mpigraft::entry::begin, __VA_ARGS__)
#define ENDS(name, lower, upper, callers, ...) \
  MPIGRAFT_C(MPI_##name, Narrow, mpigraft::abi::Function("MPI_" #name), mpigraft::entry::end, __VA_ARGS__)
MPIGRAFT_BEGINNINGS(BEGINS)
MPIGRAFT_ENDS(ENDS)
