// SPDX-License-Identifier: MIT
// Communicators in the trace.
#pragma once

#include <atomic>
#include <cstdint>

#include "config/report/trace.hpp"
#include "shim/abi/functions.hpp"

namespace mpigraft::watch {

struct TracedComm {
  report::TraceComm place;             // its name is found without communication
  bool inter = false;                  // an intercommunicator, which has no name
  std::atomic<std::int64_t> calls{0};  // number of calls that its ranks have made together
};

/// The communicator's attribute, which the first call makes. Null without memory, or if MPI refuses the handle; then
/// `refused` is set. `origin` is that of the call that created the communicator; 0: it is not known.
TracedComm* traced_comm(abi::Comm comm, abi::Refused& refused, std::uint64_t origin = 0);

/// A number for call `call` of `parent`, which creates a communicator; the same on all ranks.
std::uint64_t origin_of(const TracedComm& parent, std::int64_t call);

/// The rank in MPI_COMM_WORLD of a rank of `comm`. If it has none, `found` is false and `rank` is returned.
std::int32_t world_rank(abi::Comm comm, const TracedComm& traced, std::int32_t rank, bool& found);

}  // namespace mpigraft::watch
