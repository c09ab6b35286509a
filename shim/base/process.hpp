// SPDX-License-Identifier: MIT
#pragma once

#include "config/table/settings.hpp"

namespace mpigraft::base {

/// The settings in the environment of this process, read at the first call. Setuid programs ignore the environment.
/// Tests and the benchmark change the settings between communicators: decisions use what a communicator's exchange
/// read.
table::Settings& settings();

}  // namespace mpigraft::base
