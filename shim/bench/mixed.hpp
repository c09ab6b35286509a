// SPDX-License-Identifier: MIT
// A job as programs are: calls of several kinds in mixed order, to which ranks come late. mpigraft tune learns from it.
#pragma once

#include <nlohmann/json.hpp>

#include "shim/bench/options.hpp"
#include "shim/bench/ranks.hpp"

namespace mpigraft::bench {

/// Makes the calls, until all is learned or the time is over, and writes the document, with what they took, as a line
/// of JSON. Before that, if it learns, a line each time that more kinds of calls are decided. Returns the exit code.
/// Collective.
int make_mixed_calls(const Options& options, Ranks& ranks, nlohmann::ordered_json document);

}  // namespace mpigraft::bench
