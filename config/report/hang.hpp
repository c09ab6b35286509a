// SPDX-License-Identifier: MIT
// A hang, explained from the traces of its ranks: by `mpigraft doctor --hang`, and by the library (MPIGRAFT_TIMEOUT).
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "config/report/trace.hpp"

namespace mpigraft::report {

using Traces = std::map<std::int64_t, TraceFile>;  // by rank of MPI_COMM_WORLD

/// All traces in a folder; other files, and broken ones, are left out.
Traces read_traces(const std::string& folder);

/// False where traces of different jobs lie there. REQUIRES: there is one.
bool of_one_job(const Traces& traces);

struct Hang {
  std::string text;
  bool any = false;  // a rank waits
};

/// How two entries of one call differ, and must not: "root, bytes"; "function" alone where that does. Empty: not at
/// all.
std::string differences(const TraceEntry& a, const TraceEntry& b);

/// Which ranks wait where, since when, and for whom. REQUIRES: of_one_job().
Hang explain_hang(const Traces& traces);

}  // namespace mpigraft::report
