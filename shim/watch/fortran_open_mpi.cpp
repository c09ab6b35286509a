// SPDX-License-Identifier: MIT
// The entry points for Fortran under Open MPI: those of collectives, and of what ends a communicator or MPI.
#include "shim/watch/entry.hpp"

#define COLLECTIVE(name, equal, function, lower, upper, signature, ...)                             \
  MPIGRAFT_IN_SPELLINGS(MPIGRAFT_WATCHED_IN_FORTRAN, function, lower, upper, MPI_##function, alike, \
                        MPIGRAFT_PARAMETERS_##signature(MPIGRAFT_NAME))
MPIGRAFT_COLLECTIVE_FUNCTIONS(COLLECTIVE)

#define END(function, lower, upper, ...) \
  MPIGRAFT_IN_SPELLINGS(MPIGRAFT_WATCHED_IN_FORTRAN, function, lower, upper, MPI_##function, __VA_ARGS__)
MPIGRAFT_ENDS(END)
