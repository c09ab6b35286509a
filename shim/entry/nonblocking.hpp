// SPDX-License-Identifier: MIT
// The nonblocking forms of collectives. They are grafted as their blocking forms are, but only once the transport state
// exists, because all ranks make it together. Persistent forms are counted and stay native: their requests would have
// to be ours, and mpi_f08 passes requests to PMPI_Start and PMPI_Wait without us.
#pragma once

#include "shim/abi/call.hpp"

namespace mpigraft::entry {

/// Grafts the nonblocking or persistent form of `call`, or counts it for the report. `request_place` is the address for
/// its request. Returns false if MPI must make the call; else `error` is MPI's error code.
bool graft_nonblocking(const abi::RawCall& call, bool persistent, void* request_place, int& error);

}  // namespace mpigraft::entry
