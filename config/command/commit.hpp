// SPDX-License-Identifier: MIT
#pragma once

namespace mpigraft::command {

/// As --version prints it. Nothing else depends on the commit, so that a new one compiles one small file.
extern const char* const version;

}  // namespace mpigraft::command
