// SPDX-License-Identifier: MIT
// Predefined operators on predefined types, without the way through MPI_Reduce_local, which alone takes longer than
// combining short blocks.
#pragma once

#include <cstdint>

#include "shim/abi/handles.hpp"

namespace mpigraft::abi {

/// out[i] = a[i] (+) b[i] for `count` elements, with the bits that MPICH's MPI_Reduce_local(a, b) leaves in b, but for
/// the payload of a NaN. `out` may be `a` or `b`, and overlaps them nowhere else. Addresses need no alignment.
using Kernel = void (*)(const void* a, const void* b, void* out, std::int64_t count);

/// Two ways to the same bits.
struct Kernels {
  Kernel anywhere = nullptr;
  Kernel fastest = nullptr;  // on this processor
};

/// Null where MPI_Reduce_local must do it: user operators, derived types, complex numbers, long double, pairs with an
/// index, extrema of unsigned types, and pairs for which the library's MPI_Reduce_local gives other bits: it is asked
/// once (kernel_check.hpp). REQUIRES: MPI accepts the operator on the type.
Kernels kernels_for(Op op, Type type);

}  // namespace mpigraft::abi
