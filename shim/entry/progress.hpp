// SPDX-License-Identifier: MIT
// The common part of the entry points for progress functions.
#pragma once

#include "shim/abi/binding.hpp"

namespace mpigraft::entry {

/// The definition for a caller that is not known, by function.find(). At MPI's first poll, which is in MPI_Init, it
/// learns from the launcher whether the node is oversubscribed, because the ranks have not exchanged facts yet.
void* find(abi::ProgressFunction& function, const void* caller, bool& of_mpi);

}  // namespace mpigraft::entry
