// SPDX-License-Identifier: MIT
// Whether our operators give the bits of the MPI library that is there: they differ between MPICH's releases.
#pragma once

#include "shim/abi/kernels.hpp"

namespace mpigraft::abi {

/// Whether both kernels leave what MPI_Reduce_local leaves of values that tell implementations apart. Asks the library
/// once a process and pair, in some 20 us. REQUIRES: predefined handles that MPI accepts together, else its
/// error handler is called. May be called by several threads at once.
bool same_bits(const Kernels& kernels, Op op, Type type);

}  // namespace mpigraft::abi
