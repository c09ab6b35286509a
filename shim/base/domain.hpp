// SPDX-License-Identifier: MIT
// The part of a host that a process runs on: a shared cache, a NUMA node.
#pragma once

#include "shim/base/host.hpp"

namespace mpigraft::base {

/// The domains that contain every processor of an affinity mask.
struct Domain {
  std::int64_t cache = unknown_domain;   // the first processor of those that share the third-level cache
  std::int64_t memory = unknown_domain;  // the NUMA node
};

/// The domain of a process with the affinity mask `processors`, from the kernel's files below `root`. Tests pass
/// another `root`. A domain that the files do not tell is unknown_domain.
Domain domain_of(const Processors& processors, const char* root = "/sys");

}  // namespace mpigraft::base
