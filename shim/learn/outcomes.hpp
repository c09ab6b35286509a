// SPDX-License-Identifier: MIT
#pragma once

#include "config/learning/trials.hpp"
#include "shim/agree/negotiated.hpp"

namespace mpigraft::learn {

/// Keeps the outcome of a trial that is over, or how far it has come. Called at rank 0 of the communicator.
void note_progress(const agree::Negotiated& agreed, const learning::Entry& entry);

/// Tells the report that some of `all` candidates may not be tried. If none may, an empty file is no sign of a short
/// job.
void note_forbidden(const agree::Negotiated& agreed, const learning::Entry& entry, int all);

/// Notes that calls were looked at, and whether nothing about them is left to learn.
void note_calls(bool are_known);

}  // namespace mpigraft::learn
