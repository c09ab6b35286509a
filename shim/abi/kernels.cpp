// SPDX-License-Identifier: MIT
#include "shim/abi/kernels.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>

#include "shim/abi/kernel_check.hpp"

namespace mpigraft {
namespace {

// x is of the lower ranks. Of equal operands MPICH takes x, which shows in the sign of a zero, and x also where either
// is NaN.
struct Max {
  template <class T>
  static T join(T x, T y) {
    return y > x ? y : x;
  }
};
struct Min {
  template <class T>
  static T join(T x, T y) {
    return y < x ? y : x;
  }
};
struct Sum {
  template <class T>
  static T join(T x, T y) {
    return static_cast<T>(x + y);
  }
};
struct Product {
  template <class T>
  static T join(T x, T y) {
    if constexpr (sizeof(T) < sizeof(unsigned))
      return static_cast<T>(unsigned{x} * unsigned{y});  // T alone is promoted to int, which overflows
    else
      return x * y;
  }
};
struct LogicalAnd {
  template <class T>
  static T join(T x, T y) {
    return (x != 0) & (y != 0);
  }
};
struct LogicalOr {
  template <class T>
  static T join(T x, T y) {
    return (x | y) != 0;
  }
};
struct LogicalXor {
  template <class T>
  static T join(T x, T y) {
    return (x != 0) != (y != 0);
  }
};
struct BitAnd {
  template <class T>
  static T join(T x, T y) {
    return x & y;
  }
};
struct BitOr {
  template <class T>
  static T join(T x, T y) {
    return x | y;
  }
};
struct BitXor {
  template <class T>
  static T join(T x, T y) {
    return x ^ y;
  }
};

/// Copies instead of pointers to T: addresses are of any alignment, and of memory that the program gave another type.
/// `out` may be an operand, but no element depends on another: that is what the pragma says.
template <class Operator, class T>
[[gnu::always_inline]] inline void combine(const void* a, const void* b, void* out, std::int64_t count) {
  const auto* const lower = static_cast<const char*>(a);
  const auto* const upper = static_cast<const char*>(b);
  auto* const result = static_cast<char*>(out);
  constexpr std::int64_t bytes = sizeof(T);
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) {
    T x, y;
    std::memcpy(&x, lower + i * bytes, sizeof x);
    std::memcpy(&y, upper + i * bytes, sizeof y);
    const T joined = Operator::join(x, y);
    std::memcpy(result + i * bytes, &joined, sizeof joined);
  }
}

template <class Operator, class T>
void anywhere(const void* a, const void* b, void* out, std::int64_t count) {
  combine<Operator, T>(a, b, out, count);
}

#ifdef __x86_64__
/// Up to three times as fast in caches. AVX-512 gains more only for 64-bit extrema and products and 8-bit products
/// there.
template <class Operator, class T>
[[gnu::target("avx2")]] void with_avx2(const void* a, const void* b, void* out, std::int64_t count) {
  combine<Operator, T>(a, b, out, count);
}

template <class Operator, class T>
Kernels kernels() {
  return {anywhere<Operator, T>, __builtin_cpu_supports("avx2") ? with_avx2<Operator, T> : anywhere<Operator, T>};
}
#else
template <class Operator, class T>
Kernels kernels() {
  return {anywhere<Operator, T>, anywhere<Operator, T>};
}
#endif

template <class T>
Kernels extremum(MPI_Op op) {
  if (op == MPI_MAX) return kernels<Max, T>();
  if (op == MPI_MIN) return kernels<Min, T>();
  return {};
}

template <class T>
Kernels arithmetic(MPI_Op op) {
  if (op == MPI_SUM) return kernels<Sum, T>();
  if (op == MPI_PROD) return kernels<Product, T>();
  return {};
}

template <class T>
Kernels logical(MPI_Op op) {
  if (op == MPI_LAND) return kernels<LogicalAnd, T>();
  if (op == MPI_LOR) return kernels<LogicalOr, T>();
  if (op == MPI_LXOR) return kernels<LogicalXor, T>();
  return {};
}

template <class T>
Kernels bitwise(MPI_Op op) {
  if (op == MPI_BAND) return kernels<BitAnd, T>();
  if (op == MPI_BOR) return kernels<BitOr, T>();
  if (op == MPI_BXOR) return kernels<BitXor, T>();
  return {};
}

template <class T>
Kernels floating(MPI_Op op) {
  const Kernels found = extremum<T>(op);
  return found.fastest ? found : arithmetic<T>(op);
}

Kernels floating(MPI_Op op, int bytes) {
  if (bytes == sizeof(float)) return floating<float>(op);
  return bytes == sizeof(double) ? floating<double>(op) : Kernels{};
}

/// Signed sums and products have the bits of unsigned ones, which may overflow. Extrema of unsigned types are MPI's
/// affair: MPICH 4.0.2 takes them for signed ones (its issue 6083).
template <class Signed>
Kernels integral(MPI_Op op, bool is_signed) {
  using Unsigned = std::make_unsigned_t<Signed>;
  if (op == MPI_MAX || op == MPI_MIN) return is_signed ? extremum<Signed>(op) : Kernels{};
  if (const Kernels found = arithmetic<Unsigned>(op); found.fastest) return found;
  if (const Kernels found = logical<Unsigned>(op); found.fastest) return found;
  return bitwise<Unsigned>(op);
}

Kernels integral(MPI_Op op, bool is_signed, int bytes) {
  switch (bytes) {
    case 1:
      return integral<std::int8_t>(op, is_signed);
    case 2:
      return integral<std::int16_t>(op, is_signed);
    case 4:
      return integral<std::int32_t>(op, is_signed);
    case 8:
      return integral<std::int64_t>(op, is_signed);
  }
  return {};
}

// A type's size is in its handle, so that those of Fortran match whatever compiler MPICH was built with. MPI defines
// MPI_CHAR for no operator, and MPI_LOGICAL is Fortran's affair.
constexpr std::array signed_types{MPI_SIGNED_CHAR, MPI_SHORT,    MPI_INT,      MPI_LONG,     MPI_LONG_LONG, MPI_INT8_T,
                                  MPI_INT16_T,     MPI_INT32_T,  MPI_INT64_T,  MPI_INTEGER,  MPI_AINT,      MPI_COUNT,
                                  MPI_OFFSET,      MPI_INTEGER1, MPI_INTEGER2, MPI_INTEGER4, MPI_INTEGER8};
constexpr std::array unsigned_types{MPI_UNSIGNED_CHAR, MPI_UNSIGNED_SHORT, MPI_UNSIGNED,
                                    MPI_UNSIGNED_LONG, MPI_UINT8_T,        MPI_UNSIGNED_LONG_LONG,
                                    MPI_UINT16_T,      MPI_UINT32_T,       MPI_UINT64_T};
constexpr std::array floating_types{MPI_FLOAT, MPI_DOUBLE, MPI_REAL, MPI_REAL4, MPI_DOUBLE_PRECISION, MPI_REAL8};

constexpr int bytes_of(MPI_Datatype builtin) { return builtin >> 8 & 0xff; }
static_assert(bytes_of(MPI_LONG) == sizeof(long) && bytes_of(MPI_SHORT) == sizeof(short));
static_assert(bytes_of(MPI_DOUBLE) == sizeof(double) && bytes_of(MPI_FLOAT) == sizeof(float));

bool among(const auto& types, MPI_Datatype type) { return std::ranges::find(types, type) != types.end(); }

/// As this file has them, whatever the library's operators do.
Kernels own_kernels(MPI_Op op, MPI_Datatype type) {
  if (among(floating_types, type)) return floating(op, bytes_of(type));
  if (among(signed_types, type)) return integral(op, true, bytes_of(type));
  if (among(unsigned_types, type)) return integral(op, false, bytes_of(type));
  if (type == MPI_C_BOOL || type == MPI_CXX_BOOL) return logical<std::uint8_t>(op);
  return type == MPI_BYTE ? bitwise<std::uint8_t>(op) : Kernels{};
}

}  // namespace

Kernels kernels_for(MPI_Op op, MPI_Datatype type) {
  const Kernels own = own_kernels(op, type);
  const Storage storage{bytes_of(type), among(floating_types, type)};
  return own.fastest && same_bits(own, op, type, storage) ? own : Kernels{};
}

}  // namespace mpigraft
