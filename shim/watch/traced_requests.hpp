// SPDX-License-Identifier: MIT
// The program's requests. The trace needs them, because a wait alone does not tell what it waits for.
#pragma once

#include "config/report/trace.hpp"
#include "shim/abi/handles.hpp"

namespace mpigraft::watch {

/// An operation that a request stands for, on a communicator.
struct TracedRequest {
  report::TraceMessage message;
  report::TraceComm comm;
};

/// Remembers the operation that was started. MPI reuses handles, so the last operation of a handle counts.
void remember(abi::Request request, const TracedRequest& started);

/// Fills in the operations of an entry that waits for the `n` requests at `requests`, some of which may be null.
void describe_requests(report::TraceEntry& entry, const void* requests, std::int64_t n);

}  // namespace mpigraft::watch
