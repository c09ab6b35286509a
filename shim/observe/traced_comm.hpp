// SPDX-License-Identifier: MIT
// A communicator, as the trace names it.
#pragma once

#include <atomic>
#include <cstdint>

#include "config/report/trace.hpp"
#include "shim/abi/functions.hpp"

namespace mpigraft::observe {

struct TracedComm {
  report::TraceComm place;             // named without a message
  bool inter = false;                  // an intercommunicator: it has no ranks that are everybody's
  std::atomic<std::int64_t> calls{0};  // that its ranks have made together
};

/// The communicator's, which is made where it was created, or at its first call; null where memory is short, or where
/// MPI has `refused` the handle, which is no communicator's. `origin` is of the call that created it, 0 where that is
/// not known.
TracedComm* traced_comm(abi::Comm comm, abi::Refused& refused, std::uint64_t origin = 0);

/// A communicator's call that creates others, on all ranks alike.
std::uint64_t origin_of(const TracedComm& parent, std::int64_t call);

/// The rank in MPI_COMM_WORLD of a rank of a communicator; `found` says whether it has one.
std::int32_t world_rank(abi::Comm comm, const TracedComm& its, std::int32_t rank, bool& found);

}  // namespace mpigraft::observe
