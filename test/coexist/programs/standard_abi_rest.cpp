// SPDX-License-Identifier: MIT
// All else that libmpigraft.so knows of PMPI and calls for its own sake.
#include "shim/abi/translation/pmpi.hpp"
#include "unwanted.h"

MPIGRAFT_PMPI(UNWANTED)
