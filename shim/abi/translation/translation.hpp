// SPDX-License-Identifier: MIT
// The translation for one binary interface: MPICH's, which Intel MPI, Cray MPICH, MVAPICH and ParaStation MPI share,
// MPI-5's standard one, or Open MPI's.
#pragma once

#include "config/table/interface.hpp"
#include "shim/abi/library.hpp"

namespace mpigraft::abi {

/// The names of functions that the library lacks: one that mpigraft needs, and one that MPI-4 added; empty: none is
/// missing.
struct Missing {
  FunctionName needed = "", of_mpi_4 = "";
};

/// Finds in `scope`, a handle for dlsym, the PMPI functions that mpigraft calls for its own sake, and MPI's predefined
/// objects.
void find_functions(void* scope, Missing& missing);

extern const table::Interface translated_interface;

}  // namespace mpigraft::abi
