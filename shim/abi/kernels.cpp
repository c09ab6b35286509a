// SPDX-License-Identifier: MIT
#include "shim/abi/kernels.hpp"

#include <cstring>
#include <type_traits>

#include "shim/abi/predefined.hpp"

namespace mpigraft::abi {
namespace {

// x is the operand of the lower ranks. If the operands are equal, MPICH's result is x, which shows in the sign of a
// zero. If either is NaN, it is x, too.
constexpr auto maximum = [](auto x, auto y) { return y > x ? y : x; };
constexpr auto minimum = [](auto x, auto y) { return y < x ? y : x; };
constexpr auto sum = [](auto x, auto y) { return x + y; };
constexpr auto product = []<class T>(T x, T y) {
  if constexpr (sizeof(T) < sizeof(unsigned))
    return static_cast<T>(unsigned{x} * unsigned{y});  // T would be promoted to int, which overflows
  else
    return x * y;
};
constexpr auto logical_and = [](auto x, auto y) { return (x != 0) & (y != 0); };
constexpr auto logical_or = [](auto x, auto y) { return (x | y) != 0; };
constexpr auto logical_xor = [](auto x, auto y) { return (x != 0) != (y != 0); };
constexpr auto bit_and = [](auto x, auto y) { return x & y; };
constexpr auto bit_or = [](auto x, auto y) { return x | y; };
constexpr auto bit_xor = [](auto x, auto y) { return x ^ y; };

/// Reads and writes elements by memcpy, because addresses may have any alignment, and the program's objects there may
/// have another type than T. The pragma promises that no element depends on another, which holds even if `out` is an
/// operand.
template <auto join, class T>
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
    const T joined = static_cast<T>(join(x, y));
    std::memcpy(result + i * bytes, &joined, sizeof joined);
  }
}

template <auto join, class T>
void anywhere(const void* a, const void* b, void* out, std::int64_t count) {
  combine<join, T>(a, b, out, count);
}

#ifdef __x86_64__
/// AVX2 is up to three times as fast for vectors in caches. There AVX-512 gains more only for 64-bit extrema and
/// products and for 8-bit products.
template <auto join, class T>
[[gnu::target("avx2")]] void with_avx2(const void* a, const void* b, void* out, std::int64_t count) {
  combine<join, T>(a, b, out, count);
}
#endif

template <auto join, class T>
Kernels kernels() {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx2")) return {anywhere<join, T>, with_avx2<join, T>};
#endif
  return {anywhere<join, T>, anywhere<join, T>};
}

template <class T>
Kernels extremum(Operator op) {
  if (op == Operator::max) return kernels<maximum, T>();
  if (op == Operator::min) return kernels<minimum, T>();
  return {};
}

template <class T>
Kernels arithmetic(Operator op) {
  if (op == Operator::sum) return kernels<sum, T>();
  if (op == Operator::prod) return kernels<product, T>();
  return {};
}

template <class T>
Kernels logical(Operator op) {
  if (op == Operator::land) return kernels<logical_and, T>();
  if (op == Operator::lor) return kernels<logical_or, T>();
  if (op == Operator::lxor) return kernels<logical_xor, T>();
  return {};
}

template <class T>
Kernels bitwise(Operator op) {
  if (op == Operator::band) return kernels<bit_and, T>();
  if (op == Operator::bor) return kernels<bit_or, T>();
  if (op == Operator::bxor) return kernels<bit_xor, T>();
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
