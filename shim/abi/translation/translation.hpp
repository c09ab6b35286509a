// SPDX-License-Identifier: MIT
// The translation for one binary interface: MPICH's, which Intel MPI, Cray MPICH, MVAPICH and ParaStation MPI share, or
// the standard one of MPI-5.
#pragma once

#include "shim/abi/library.hpp"

namespace mpigraft::abi {

/// The name of a function that is not there, of those that nothing replaces, and of those that MPI-4 added; else empty.
struct Missing {
  FunctionName needed = "", of_mpi_4 = "";
};

/// Looks for all functions that mpigraft calls for its own sake.
void find_functions(void* scope, Missing& missing);

/// Whether it is the standard one.
extern const bool translates_standard_abi;

}  // namespace mpigraft::abi
