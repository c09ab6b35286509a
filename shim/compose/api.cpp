// SPDX-License-Identifier: MIT
// The functions of mpigraft.h, one for each row of the table of compositions. Handles are as wide as a register.
#include "shim/compose/composition.hpp"

using mpigraft::Composition;
using mpigraft::compose::composed;
using Handle = std::uintptr_t;

#define TAKES const void *send, void *recv, std::int64_t count, Handle type, Handle times, Handle plus, int flags
#define FILLS send, recv, count, type, times, plus, flags
#define FUNCTION extern "C" __attribute__((visibility("default"))) int

#define AT_ROOT_reduce(name, function)                                                    \
  FUNCTION function(TAKES, int root, Handle comm) {                                       \
    return composed({Composition::name, FILLS, root, comm}, __builtin_return_address(0)); \
  }
#define ON_ALL(name, function)                                                         \
  FUNCTION function(TAKES, Handle comm) {                                              \
    return composed({Composition::name, FILLS, 0, comm}, __builtin_return_address(0)); \
  }
#define AT_ROOT_allreduce ON_ALL
#define AT_ROOT_scan ON_ALL

#define X(name, function, second) AT_ROOT_##second(name, MPIGRAFT_##function)
MPIGRAFT_COMPOSITIONS(X)
#undef X
