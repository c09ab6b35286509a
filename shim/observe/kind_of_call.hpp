// SPDX-License-Identifier: MIT
#pragma once

#include "shim/abi/arguments.hpp"
#include "shim/observe/difference.hpp"

namespace mpigraft::observe {

/// How the elements of an inspected call's results are compared.
Kind kind_of(const abi::Call& call);

}  // namespace mpigraft::observe
