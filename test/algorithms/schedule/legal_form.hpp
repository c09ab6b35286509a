// SPDX-License-Identifier: MIT
// What each pass of the compiler promises in algorithms/schedule/draft.hpp, checked element by element. When an element
// is needed is found from the record alone.
#pragma once

#include <string>

#include "algorithms/schedule/draft.hpp"

namespace mpigraft::proof {

// Each returns the first broken promise; empty if all are kept.

/// After find_lifetimes().
std::string broken_lifetimes(const schedule::Draft& draft);
/// After wish_places().
std::string broken_wishes(const schedule::Draft& draft);
/// After find_places().
std::string broken_places(const schedule::Draft& draft);
/// After lay_out_scratch().
std::string broken_layout(const schedule::Draft& draft);

}  // namespace mpigraft::proof
