// SPDX-License-Identifier: MIT
// The common part of the entry points for progress functions.
#pragma once

#include "shim/abi/progress_function.hpp"

namespace mpigraft::entry {

/// The definition for a caller that is not known, by function.find(). At MPI's first look, which is in MPI_Init, it
/// learns from the launcher whether the node is oversubscribed, because the ranks have not exchanged facts yet.
void* find(abi::ProgressFunction& function, const void* caller, bool& of_mpi);

/// True if look_is_over() has to be called after a look. It is a cheap test, because a message of MPI takes several
/// looks.
bool more_to_do();

/// Called after a look; `found`: it moved a message. Carries on jobs, and naps if it should.
void look_is_over(bool found);

}  // namespace mpigraft::entry
