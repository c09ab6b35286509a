// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <atomic>
#include <cfenv>
#include <cmath>
#include <limits>
#include <type_traits>

#include "shim/abi/functions.hpp"
#include "shim/abi/kernels.hpp"

namespace mpigraft::abi {
namespace {

/// Values on which implementations differ: both zeros, NaN, values that round, underflow or overflow, and bytes that
/// are no valid bool.
template <class T>
constexpr auto telling_values() {
  using Limits = std::numeric_limits<T>;
  constexpr bool floating = std::is_floating_point_v<T>;
  constexpr T most = Limits::max();
  constexpr std::array<T, 7> some = [] {
    if constexpr (floating)
      return std::array{T(0), T(1), T(1) / 3, Limits::denorm_min(), most, Limits::infinity(), Limits::quiet_NaN()};
    else
      return std::array<T, 7>{0, 1, 2, 3, most / 3, most / 2 - 1, most / 2};
  }();
  std::array<T, 2 * some.size()> all{};
  for (std::size_t i = 0; i < some.size(); ++i) {
    all[2 * i] = some[i];
    if constexpr (floating)
      all[2 * i + 1] = -some[i];
    else
      all[2 * i + 1] = static_cast<T>(~some[i]);
  }
  return all;
}

constexpr std::size_t value_count = telling_values<double>().size(), pair_count = value_count * value_count;

/// One operand of each pair of values. The first pair is at memory_[1], which is aligned for T but not for a vector.
template <class T>
class Operands {
 public:
  explicit Operands(bool lower) {
    const auto values = telling_values<T>();
    for (std::size_t i = 0; i < pair_count; ++i) memory_[i + 1] = values[lower ? i / value_count : i % value_count];
  }
  T* at(std::size_t i) { return &memory_[i + 1]; }

  /// True for the same bits, except for the payload of a NaN.
  bool operator==(const Operands& other) const {
    return std::equal(memory_.begin() + 1, memory_.end(), other.memory_.begin() + 1, [](T x, T y) {
      if constexpr (std::is_floating_point_v<T>)
        return (std::isnan(x) && std::isnan(y)) || (x == y && std::signbit(x) == std::signbit(y));
      else
        return x == y;
    });
  }

 private:
  alignas(64) std::array<T, pair_count + 1> memory_{};
};

/// Integers are compared as unsigned ones.
template <class T>
using Stored = typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>, std::type_identity<T>>::type;

/// Checks all pairs at once, and again in pieces of 1, 2, 3, ... elements, because a library's vector loops run other
/// code at their ends.
template <class T>
bool compare(const Kernels& kernels, Op op, Type type) {
  Operands<T> lower(true), whole(false), in_pieces(false);
  constexpr auto all = static_cast<int>(pair_count);
  if (reduce_local(lower.at(0), whole.at(0), all, type, op) != success) return false;
  for (int first = 0, n = 1; first < all; first += n++) {
    const auto i = static_cast<std::size_t>(first);
    if (reduce_local(lower.at(i), in_pieces.at(i), std::min(n, all - first), type, op) != success) return false;
  }
  if (!(in_pieces == whole)) return false;
  for (const Kernel kernel : {kernels.anywhere, kernels.fastest}) {
    Operands<T> ours(false);
    kernel(lower.at(0), ours.at(0), ours.at(0), all);
    if (!(ours == whole)) return false;
  }
  return true;
}

/// Compares without traps, and restores the flags: the program may have enabled signals for floating-point exceptions,
/// and may read the flags.
bool compare_unseen(const Kernels& kernels, Op op, Type type) {
  std::fenv_t of_program;
  std::feholdexcept(&of_program);
  const bool same = with_number(facts_of(type), [&]<class T>(T) { return compare<Stored<T>>(kernels, op, type); });
  std::fesetenv(&of_program);
  return same;
}

enum class Known : signed char { nothing, same, different };

std::atomic<Known>& known(Op op, Type type) {
  static constinit std::array<std::array<std::atomic<Known>, 16>, 256> of_pairs{};
  return of_pairs[facts_of(type).number][static_cast<std::size_t>(operator_of(op))];
}

}  // namespace

bool same_bits(const Kernels& kernels, Op op, Type type) {
  std::atomic<Known>& found = known(op, type);
  if (const Known before = found.load(std::memory_order_relaxed); before != Known::nothing)
    return before == Known::same;
  const bool same = compare_unseen(kernels, op, type);
  found.store(same ? Known::same : Known::different, std::memory_order_relaxed);
  return same;
}

}  // namespace mpigraft::abi
