// SPDX-License-Identifier: MIT
// The collectives, some of which libmpigraft.so also calls for its own sake.
#include "algorithms/collective.hpp"
#include "unwanted.h"

#define X(name, function, ...) UNWANTED(function) UNWANTED(function##_c)
MPIGRAFT_COLLECTIVES(X)
MPIGRAFT_EQUAL_PARTS(X)
#undef X
