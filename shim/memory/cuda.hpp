// SPDX-License-Identifier: MIT
#pragma once

#include "shim/memory/device.hpp"

namespace mpigraft::memory {

/// CUDA's driver, which is loaded as `object`; null if it lacks a function.
const Driver* cuda(void* object);

}  // namespace mpigraft::memory
