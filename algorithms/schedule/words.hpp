// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "algorithms/schedule/schedule.hpp"

namespace mpigraft::schedule {

/// "receive_and_combine  result[0..8) := scratch[0..8) (+) input[0..8), scratch[0..8) by message 0"
std::string words(const Step& step);

/// "scratch[0..8)"
std::string words(Address address, std::int64_t count);

}  // namespace mpigraft::schedule
