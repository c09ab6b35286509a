// SPDX-License-Identifier: MIT
// Where on its host a process runs, finer than the host.
#pragma once

#include "shim/base/host.hpp"

namespace mpigraft::base {

/// The domains that hold all processors of an affinity mask.
struct Domain {
  std::int64_t cache = unknown_domain;   // the first processor of those that share the third level of caches
  std::int64_t memory = unknown_domain;  // the NUMA node
};

/// As the kernel tells below `root`, which is /sys but in tests.
Domain domain_of(const Processors& processors, const char* root = "/sys");

}  // namespace mpigraft::base
