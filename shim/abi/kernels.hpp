// SPDX-License-Identifier: MIT
// Predefined operators on predefined types. A kernel avoids a call of MPI_Reduce_local, which takes longer than
// combining a short block.
#pragma once

#include <cstdint>

#include "shim/abi/handles.hpp"

namespace mpigraft::abi {

/// out[i] = a[i] (+) b[i] for `count` elements, with the bits that MPI_Reduce_local(a, b) leaves in b, except for the
/// payload of a NaN. `out` may be `a` or `b`, but must not overlap them otherwise. Addresses need no alignment.
using Kernel = void (*)(const void* a, const void* b, void* out, std::int64_t count);

/// Two kernels that give the same bits.
struct Kernels {
  Kernel anywhere = nullptr;  // runs on every processor
  Kernel fastest = nullptr;   // on this processor
};

/// The kernels for `op` on `type`; null where MPI_Reduce_local must combine. That is so for user operators, derived
/// types, complex numbers, long double, pairs with an index and extrema of unsigned types, and where the library gives
/// other bits. REQUIRES: MPI accepts `op` on `type`.
Kernels kernels_for(Op op, Type type);

/// True if both kernels give the bits of MPI_Reduce_local, whose bits differ between MPICH's releases, for values that
/// tell implementations apart. A process asks the library once for each pair, which takes some 20 us. Several threads
/// may call this at once. REQUIRES: MPI accepts `op` on `type` and both are predefined, else MPI's error handler is
/// called.
bool same_bits(const Kernels& kernels, Op op, Type type);

}  // namespace mpigraft::abi
