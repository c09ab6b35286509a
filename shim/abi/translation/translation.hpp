// SPDX-License-Identifier: MIT
// The translation for one binary interface: MPICH's, which Intel MPI, Cray MPICH, MVAPICH and ParaStation MPI share,
// the standard one of MPI-5, or Open MPI's.
#pragma once

#include "config/table/interface.hpp"
#include "shim/abi/library.hpp"

namespace mpigraft::abi {

/// The name of a function that is not there, of those that nothing replaces, and of those that MPI-4 added; else empty.
struct Missing {
  FunctionName needed = "", of_mpi_4 = "";
};

/// Looks for all functions that mpigraft calls for its own sake, and for MPI's predefined objects.
void find_functions(void* scope, Missing& missing);

extern const table::Interface translated_interface;

}  // namespace mpigraft::abi
