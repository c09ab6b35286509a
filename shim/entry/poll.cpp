// SPDX-License-Identifier: MIT
// The entry points of C's polls.
#include "shim/entry/poll.hpp"

#define ENTRY_POINT(name, lower, upper, ...) \
  MPIGRAFT_C(MPI_##name, Narrow, mpigraft::abi::Function("MPI_" #name), mpigraft::entry::call<int>, __VA_ARGS__)
MPIGRAFT_POLLS(ENTRY_POINT)
