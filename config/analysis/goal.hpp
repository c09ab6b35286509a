// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>

#include "algorithms/model/recording.hpp"

namespace mpigraft::analysis {

/// Writes a recorded run as GOAL text, the input of LogGOPSim and its kin: sends and receives in bytes, combining as
/// `calc` in nanoseconds, `requires` for the order within a rank. An empty message has one byte: LogGOPSim takes 0
/// bytes for more than any memory holds.
void write_goal(std::ostream& out, const model::Recording& recording, const Machine& machine);

}  // namespace mpigraft::analysis
