// SPDX-License-Identifier: MIT
// A job as programs are: calls of several kinds in mixed order, to which ranks come late. mpigraft tune learns from it.
#pragma once

#include "test/bench/options.hpp"
#include "test/bench/ranks.hpp"
#include "test/bench/record.hpp"

namespace mpigraft::bench {

/// Makes the calls, until all is learned or the time is over, and writes a line of JSON about them. Before that, if it
/// learns, a line each time that more kinds of calls are decided. Returns the exit code. Collective.
int make_mixed_calls(const Options& options, Ranks& ranks, const Provenance& from);

}  // namespace mpigraft::bench
