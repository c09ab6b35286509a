// SPDX-License-Identifier: MIT
// The entry points of C's functions that look.
#include "shim/entry/looking.hpp"

#define ENTRY_POINT(name, in_fortran, n) MPIGRAFT_LOOKING_ENTRY(MPI_##name, TAKES_##n, GIVES_##n)
MPIGRAFT_LOOKING(ENTRY_POINT)
