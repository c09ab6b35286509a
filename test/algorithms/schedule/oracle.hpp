// SPDX-License-Identifier: MIT
// What a schedule has to do, found from the record alone: it is carried out on symbols, and each message and result is
// compared with what the equations say. Nothing of the compiler's passes is used.
#pragma once

#include <string>

#include "algorithms/program.hpp"
#include "algorithms/schedule/schedule.hpp"

namespace mpigraft::proof {

/// The first thing that is wrong with the schedule of a record; empty if it is right.
std::string judged(const Record& record, std::int64_t length, int ports, bool aliased,
                   const schedule::Schedule& schedule);

}  // namespace mpigraft::proof
