// SPDX-License-Identifier: MIT
// Judges of the compiler. They find from the record alone what a schedule has to do and when an element is needed.
#pragma once

#include <string>

#include "algorithms/program.hpp"
#include "algorithms/schedule/draft.hpp"
#include "algorithms/schedule/schedule.hpp"

namespace mpigraft::proof {

/// The first thing that is wrong with the schedule of a record; empty if it is right. The schedule is carried out on
/// symbols, and each message and result is compared with what the equations say. Nothing of the compiler's passes is
/// used.
std::string judged(const Record& record, std::int64_t length, int ports, bool aliased,
                   const schedule::Schedule& schedule);

// The first promise of algorithms/schedule/draft.hpp that a pass has broken, checked element by element; empty if all
// are kept.

/// After find_lifetimes().
std::string broken_lifetimes(const schedule::Draft& draft);
/// After wish_places().
std::string broken_wishes(const schedule::Draft& draft);
/// After find_places().
std::string broken_places(const schedule::Draft& draft);
/// After lay_out_scratch().
std::string broken_layout(const schedule::Draft& draft);

}  // namespace mpigraft::proof
