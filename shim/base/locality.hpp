// SPDX-License-Identifier: MIT
// The part of a host that a process runs on: a shared cache, a NUMA node.
#pragma once

#include "shim/base/host.hpp"

namespace mpigraft::base {

/// The parts of a host that contain every processor of an affinity mask.
struct Locality {
  std::int64_t cache = unknown_locality;   // the first processor of those that share the third-level cache
  std::int64_t memory = unknown_locality;  // the NUMA node
};

/// The locality of a process with the affinity mask `processors`, from the kernel's files below `root`. Tests pass
/// another `root`. A part that the files do not tell is unknown_locality.
Locality locality_of(const Processors& processors, const char* root = "/sys");

}  // namespace mpigraft::base
