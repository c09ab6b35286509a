// SPDX-License-Identifier: MIT
// A job as programs are: calls of several kinds in mixed order, to which ranks come late. mpigraft tune learns from it.
#pragma once

#include "shim/bench/options.hpp"
#include "shim/bench/ranks.hpp"
#include "shim/bench/record.hpp"

namespace mpigraft::bench {

/// Makes the calls, until all is learned or the time is over, and writes a line of JSON about them. Before that, if it
/// learns, a line each time that more kinds of calls are decided. Returns the exit code. Collective.
int make_mixed_calls(const Options& options, Ranks& ranks, const Provenance& from);

}  // namespace mpigraft::bench
