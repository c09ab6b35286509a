// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "config/table/settings.hpp"

namespace mpigraft::command {

/// Tries whether one process here can read the memory of another, as the ranks of a node do, and says in a sentence how
/// long messages travel inside a node then.
std::string way_of_long_messages(table::OneCopy asked);

}  // namespace mpigraft::command
