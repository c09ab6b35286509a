// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace mpigraft::watch {

/// Makes a folder for traces and returns its path; empty if that fails. The ranks of a job on a node find the same
/// folder without communication, because it is named after their launcher's process. Only their user may write to it.
/// Also removes folders of jobs that were killed: no process locks a file there, and nobody has written to it for a
/// minute.
std::string private_folder();

}  // namespace mpigraft::watch
