// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace mpigraft::observe {

/// A folder for traces that the ranks of a node find without a word, as only they have their launcher, and nobody else
/// may write to. Empty where there can be none. Removes those of jobs that were killed: no process has a lock on a file
/// there, and nobody has written to it for a while.
std::string private_folder();

}  // namespace mpigraft::observe
