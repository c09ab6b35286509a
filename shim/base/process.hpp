// SPDX-License-Identifier: MIT
#pragma once

#include "config/table/settings.hpp"

namespace mpigraft::base {

/// The settings of this process, by its environment and the site, read at the first call. Setuid programs ignore the
/// environment.
/// Tests and the benchmark change the settings between communicators: decisions use what a communicator's exchange
/// read.
table::Settings& settings();

/// True if MPIGRAFT_DISABLE=1 is set: this process is to behave as if mpigraft were not loaded. Needs no memory.
bool disabled();

}  // namespace mpigraft::base
