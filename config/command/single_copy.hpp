// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "config/table/settings.hpp"

namespace mpigraft::command {

/// Tries whether one process can read the memory of another here, as the ranks of a node do. Says in a sentence how
/// long messages then travel inside a node.
std::string how_long_messages_travel(table::SingleCopy asked);

}  // namespace mpigraft::command
