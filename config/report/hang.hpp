// SPDX-License-Identifier: MIT
// A hang, explained from the traces of its ranks: by `mpigraft doctor --hang`, and by the library (MPIGRAFT_TIMEOUT).
#pragma once

#include <string>

#include "config/report/trace.hpp"

namespace mpigraft::report {

struct Hang {
  std::string text;
  bool any = false;  // a rank waits
};

/// The arguments that must be the same in two entries of one call but differ: "root, bytes"; only "function" if that
/// differs; empty if all are the same.
std::string differences(const TraceEntry& a, const TraceEntry& b);

/// Tells which ranks wait where, since when, and for which others. REQUIRES: there is a trace.
Hang explain_hang(const Traces& traces);

}  // namespace mpigraft::report
