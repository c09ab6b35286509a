// SPDX-License-Identifier: MIT
#include "shim/abi/kernels.hpp"

#include <cstring>
#include <type_traits>

#include "shim/abi/kernel_check.hpp"
#include "shim/abi/predefined.hpp"

namespace mpigraft::abi {
namespace {

// x is the operand of the lower ranks. If the operands are equal, MPICH's result is x, which shows in the sign of a
// zero. If either is NaN, it is x, too.
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
      return static_cast<T>(unsigned{x} * unsigned{y});  // T would be promoted to int, which overflows
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

/// Reads and writes elements by memcpy, because addresses may have any alignment, and the program's objects there may
/// have another type than T. The pragma promises that no element depends on another, which holds even if `out` is an
/// operand.
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
/// AVX2 is up to three times as fast for vectors in caches. There AVX-512 gains more only for 64-bit extrema and
/// products and for 8-bit products.
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
Kernels extremum(Operator op) {
  if (op == Operator::max) return kernels<Max, T>();
  if (op == Operator::min) return kernels<Min, T>();
  return {};
}

template <class T>
Kernels arithmetic(Operator op) {
  if (op == Operator::sum) return kernels<Sum, T>();
  if (op == Operator::prod) return kernels<Product, T>();
  return {};
}

template <class T>
Kernels logical(Operator op) {
  if (op == Operator::land) return kernels<LogicalAnd, T>();
  if (op == Operator::lor) return kernels<LogicalOr, T>();
  if (op == Operator::lxor) return kernels<LogicalXor, T>();
  return {};
}

template <class T>
Kernels bitwise(Operator op) {
  if (op == Operator::band) return kernels<BitAnd, T>();
  if (op == Operator::bor) return kernels<BitOr, T>();
  if (op == Operator::bxor) return kernels<BitXor, T>();
  return {};
}

template <class T>
Kernels floating(Operator op) {
  const Kernels found = extremum<T>(op);
  return found.fastest ? found : arithmetic<T>(op);
}

Kernels floating(Operator op, int bytes) {
  if (bytes == sizeof(float)) return floating<float>(op);
  return bytes == sizeof(double) ? floating<double>(op) : Kernels{};
}

/// Sums and products of signed numbers are computed as unsigned ones, which give the same bits and may overflow.
/// Extrema of unsigned types are left to MPI, because MPICH 4.0.2 compares them as signed (its issue 6083).
template <class Signed>
Kernels integral(Operator op, bool is_signed) {
  using Unsigned = std::make_unsigned_t<Signed>;
  if (op == Operator::max || op == Operator::min) return is_signed ? extremum<Signed>(op) : Kernels{};
  if (const Kernels found = arithmetic<Unsigned>(op); found.fastest) return found;
  if (const Kernels found = logical<Unsigned>(op); found.fastest) return found;
  return bitwise<Unsigned>(op);
}

Kernels integral(Operator op, bool is_signed, int bytes) {
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

/// The kernels of this file, not yet compared with the library's operators.
Kernels own_kernels(Operator op, const TypeFacts& type) {
  switch (type.content) {
    case Content::floating:
      return floating(op, type.bytes);
    case Content::signed_integer:
      return integral(op, true, type.bytes);
    case Content::unsigned_integer:
      return integral(op, false, type.bytes);
    case Content::boolean:
      return logical<std::uint8_t>(op);
    case Content::bytes:
      return bitwise<std::uint8_t>(op);
    default:
      return {};
  }
}

}  // namespace

Kernels kernels_for(Op op, Type type) {
  const Kernels found = own_kernels(operator_of(op), facts_of(type));
  return found.fastest && same_bits(found, op, type) ? found : Kernels{};
}

}  // namespace mpigraft::abi
