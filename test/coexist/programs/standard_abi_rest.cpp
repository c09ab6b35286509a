// SPDX-License-Identifier: MIT
// All other functions of PMPI that libmpigraft.so knows and calls for its own sake.
#include "shim/abi/translation/pmpi.hpp"
#include "unwanted.h"

MPIGRAFT_PMPI(UNWANTED)
