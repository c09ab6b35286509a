// SPDX-License-Identifier: MIT
#pragma once

namespace mpigraft::command {

/// The version that --version prints, with its commit. Nothing else depends on the commit, so a new one compiles one
/// small file.
extern const char* const version;

}  // namespace mpigraft::command
