// SPDX-License-Identifier: MIT
// Whether our operators give the bits of the MPI library that is there: they differ between MPICH's releases.
#pragma once

#include "shim/abi/kernels.hpp"

namespace mpigraft {

/// How the elements of a pair's type are stored.
struct Storage {
  int bytes = 0;
  bool floating = false;
};

/// Whether both kernels leave what MPI_Reduce_local leaves of values that tell implementations apart. Asks the library
/// once a process and pair, in some 20 us. REQUIRES: predefined handles that MPI accepts together, else its
/// error handler is called. May be called by several threads at once.
bool same_bits(const Kernels& kernels, MPI_Op op, MPI_Datatype type, Storage storage);

}  // namespace mpigraft
