// SPDX-License-Identifier: MIT
// A check that our operators give the same bits as the MPI library's own, which differ between MPICH's releases.
#pragma once

#include "shim/abi/kernels.hpp"

namespace mpigraft::abi {

/// True if both kernels give the bits of MPI_Reduce_local for values that tell implementations apart. A process asks
/// the library once for each pair, which takes some 20 us. Several threads may call this at once. REQUIRES: MPI accepts
/// `op` on `type` and both are predefined, else MPI's error handler is called.
bool same_bits(const Kernels& kernels, Op op, Type type);

}  // namespace mpigraft::abi
