// SPDX-License-Identifier: MIT
#include "shim/abi/kernels.hpp"

#include <array>
#include <cstring>
#include <type_traits>

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

/// The kernels at the operator's place in an array that is in the order of Operator.
template <std::size_t n>
Kernels made_by(const std::array<Kernels (*)(), n>& all, Operator op) {
  const std::size_t i = static_cast<std::size_t>(op) - static_cast<std::size_t>(Operator::max);
  return i < n ? all[i]() : Kernels{};
}

/// Sums and products of signed numbers are computed as unsigned ones, which give the same bits and may overflow.
template <class T>
Kernels kernels_of(Operator op) {
  if constexpr (std::is_floating_point_v<T>) {
    return made_by<4>({kernels<maximum, T>, kernels<minimum, T>, kernels<sum, T>, kernels<product, T>}, op);
  } else {
    using Unsigned = std::make_unsigned_t<T>;
    return made_by<10>({kernels<maximum, T>, kernels<minimum, T>, kernels<sum, Unsigned>, kernels<product, Unsigned>,
                        kernels<logical_and, Unsigned>, kernels<bit_and, Unsigned>, kernels<logical_or, Unsigned>,
                        kernels<bit_or, Unsigned>, kernels<logical_xor, Unsigned>, kernels<bit_xor, Unsigned>},
                       op);
  }
}

/// True if kernels combine elements of this content. Extrema of unsigned types are left to MPI, because MPICH
/// 4.0.2 compares them as signed (its issue 6083).
bool is_combined(Content content, Operator op) {
  switch (content) {
    case Content::floating:
    case Content::signed_integer:
      return true;
    case Content::unsigned_integer:
      return op != Operator::max && op != Operator::min;
    case Content::boolean:
      return op == Operator::land || op == Operator::lor || op == Operator::lxor;
    case Content::bytes:
      return op == Operator::band || op == Operator::bor || op == Operator::bxor;
    default:
      return false;
  }
}

}  // namespace

Kernels kernels_for(Op op, Type type) {
  const Operator known = operator_of(op);
  const TypeFacts facts = facts_of(type);
  if (!is_combined(facts.content, known)) return {};
  const Kernels found = with_number(facts, [=]<class T>(T) { return kernels_of<T>(known); });
  return found.fastest && same_bits(found, op, type) ? found : Kernels{};
}

}  // namespace mpigraft::abi
