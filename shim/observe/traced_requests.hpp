// SPDX-License-Identifier: MIT
// The requests of the program, for the trace: a wait alone does not tell what it waits for.
#pragma once

#include "config/report/trace.hpp"
#include "shim/abi/handles.hpp"

namespace mpigraft::observe {

/// An operation that a request stands for, on a communicator.
struct TracedRequest {
  report::TraceMessage message;
  report::TraceComm comm;
};

/// Remembers what was started. Handles come again: the latest counts.
void remember(abi::Request request, const TracedRequest& started);

/// Fills the operations of an entry that waits for `n` requests, of which some may be null.
void describe_requests(report::TraceEntry& entry, const void* requests, std::int64_t n);

}  // namespace mpigraft::observe
