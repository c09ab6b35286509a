// SPDX-License-Identifier: MIT
#pragma once

#include "config/learning/races.hpp"
#include "shim/agree/agreement.hpp"

namespace mpigraft::learn {

/// Keeps the outcome of a race that is over, or how far it has come. Called at rank 0 of the communicator.
void note_progress(const agree::Agreement& agreed, const learning::Entry& entry);

/// Notes that calls were looked at, and whether an earlier job has learned of them.
void note_calls(bool are_known);

}  // namespace mpigraft::learn
