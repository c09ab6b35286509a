// SPDX-License-Identifier: MIT
#pragma once

#include "shim/memory/device.hpp"

namespace mpigraft::memory {

/// The runtime on which HIP is built, which is loaded as `object`; null if it lacks a function. We ask it instead of
/// HIP: HIP would initialize the GPU for a program that does not use it, and its numbers depend on its version.
const Driver* hsa(void* object);

}  // namespace mpigraft::memory
