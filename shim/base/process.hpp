// SPDX-License-Identifier: MIT
#pragma once

#include "config/table/settings.hpp"

namespace mpigraft::base {

/// The environment of this process, read once. Ignored for setuid programs. Tests and the benchmark change it between
/// communicators: it is looked at only in a communicator's exchange.
table::Settings& settings();

}  // namespace mpigraft::base
