// SPDX-License-Identifier: MIT
#pragma once

#include "config/learning/races.hpp"
#include "shim/agree/agreement.hpp"

namespace mpigraft::learn {

/// At rank 0 of a communicator: keeps the outcome of a race that is over, and how far the others have come.
void note_progress(const agree::Agreement& agreed, const learning::Entry& entry);

/// Calls were looked at, and an earlier job has learned of them, or not.
void note_calls(bool are_known);

}  // namespace mpigraft::learn
