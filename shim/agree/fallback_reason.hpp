// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "shim/abi/handles.hpp"

namespace mpigraft::agree {

/// A process has about 2000 context ids. mpigraft takes at most this many and leaves the rest to the program.
inline constexpr int max_private_communicators = 512;

/// The reason why calls on a communicator stay native. If ranks have different reasons, the later one in this list
/// prevails. With `later` the ranks negotiate again. The reasons from `warming_up` on are those of single calls.
enum class FallbackReason {
  none,
  later,
  intercommunicator,
  other_world,
  settings,
  library,
  gpu,
  site,
  table,
  differs,
  many,
  context,
  memory,
  warming_up,
  early,
  not_carried_on,
  program_operator,
  persistent
};

/// The reason in words; empty for `none`.
std::string words_of(FallbackReason reason);

/// With MPIGRAFT_VERBOSE, says once in a process that further communicators stay native for this reason.
void tell_reason(FallbackReason reason);

/// A reason that needs no vote, because all ranks see it: an intercommunicator, or a process outside MPI_COMM_WORLD.
FallbackReason native_by_nature(abi::Comm comm);

}  // namespace mpigraft::agree
