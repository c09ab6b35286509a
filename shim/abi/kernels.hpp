// SPDX-License-Identifier: MIT
// Predefined operators on predefined types. A kernel avoids a call of MPI_Reduce_local, which takes longer than
// combining a short block.
#pragma once

#include <cstdint>

#include "shim/abi/predefined.hpp"

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

/// Calls f with a number of the type that elements are combined as: float, double or a signed integer. Returns f's
/// default where kernels combine no elements of this size.
template <class F>
auto with_number(const TypeFacts& type, F f) -> decltype(f(0)) {
  if (type.content == Content::floating)
    return type.bytes == sizeof(float) ? f(float{}) : type.bytes == sizeof(double) ? f(double{}) : decltype(f(0)){};
  switch (type.bytes) {
    case 1:
      return f(std::int8_t{});
    case 2:
      return f(std::int16_t{});
    case 4:
      return f(std::int32_t{});
    case 8:
      return f(std::int64_t{});
  }
  return {};
}

/// True if both kernels give the bits of MPI_Reduce_local, whose bits differ between MPICH's releases, for values that
/// tell implementations apart. A process asks the library once for each pair, which takes some 20 us. Several threads
/// may call this at once. REQUIRES: MPI accepts `op` on `type` and both are predefined, else MPI's error handler is
/// called.
bool same_bits(const Kernels& kernels, Op op, Type type);

}  // namespace mpigraft::abi
