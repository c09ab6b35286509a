// SPDX-License-Identifier: MIT
// The entry points for Fortran under Open MPI: those of collectives, and of what ends a communicator or MPI.
#include "shim/abi/openmpi/fortran.hpp"
#include "shim/watch/entry.hpp"
#include "shim/watch/functions.hpp"

namespace mpigraft::watch {
namespace fortran {

Word c_handle(Datatype its) { return abi::c_handle<'t'>(&its.handle); }
Word c_handle(Op its) { return abi::c_handle<'o'>(&its.handle); }
Word c_handle(Comm its) { return abi::c_handle<'c'>(&its.handle); }

}  // namespace fortran
}  // namespace mpigraft::watch

#define SPELLED(name, function, ...) MPIGRAFT_FORTRAN_ENTRY(function, name, __VA_ARGS__)
#define ENTRY_POINTS(function, ...) MPIGRAFT_IN_SPELLINGS(SPELLED, function, MPI_##function, __VA_ARGS__)
MPIGRAFT_WATCHED_COLLECTIVES(ENTRY_POINTS)
MPIGRAFT_WATCHED_IN_FORTRAN(ENTRY_POINTS)
