// SPDX-License-Identifier: MIT
#pragma once

#include "config/report/report.hpp"

namespace mpigraft::observe {

/// What this rank knows about its job, without asking anyone: the environment, the kernel and the clocks tell it.
/// Throws only std::bad_alloc.
report::Job this_job(int ranks);

}  // namespace mpigraft::observe
