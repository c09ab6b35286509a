// SPDX-License-Identifier: MIT
#include "shim/observe/difference.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>

namespace mpigraft::observe {
namespace {

using Rule = Kind::Rule;

/// The numbers of element i; packed bytes are not aligned.
template <class T>
struct Element {
  Element(const char* packed, std::int64_t i, const Kind& kind) {
    const char* const begin = packed + i * kind.element_bytes;
    const auto bytes = sizeof(T) * static_cast<std::size_t>(kind.numbers);
    std::memcpy(x, begin, bytes);
    rest = {begin + bytes, static_cast<std::size_t>(kind.element_bytes) - bytes};
  }
  T x[2] = {};
  std::string_view rest;  // the index of a pair
};

auto with_number(Kind::Number number, auto f) {
  if (number == Kind::Number::single) return f(float{});
  if (number == Kind::Number::extended) return f(static_cast<long double>(0));
  return f(double{});
}

template <class T>
bool same_value(T a, T b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

/// The relative bound on the difference of two results. The rounding error of one complex product is at most sqrt(5) u
/// of its modulus (Brent, Percival, Zimmermann 2007).
template <class T>
double roundings(int ranks, const Kind& kind) {
  const double u = static_cast<double>(std::numeric_limits<T>::epsilon()) / 2;
  const double each = kind.rule == Rule::product && kind.numbers == 2 ? 2.24 : 1;
  return 2.02 * ranks * each * u;  // 2 for two results, and 1 % for the rounding of the bound itself
}

/// True if no intermediate result can overflow or be subnormal.
template <class T>
bool in_range(double magnitude) {
  return std::isfinite(magnitude) && static_cast<T>(magnitude) <= std::numeric_limits<T>::max() / 8;
}

/// Judges two elements whose bytes differ.
template <class T>
Verdict judge(const Element<T>& a, const Element<T>& b, const Kind& kind, double slack, const double* bound) {
  bool same = true;
  for (int k = 0; k < kind.numbers; ++k) same &= same_value(a.x[k], b.x[k]);
  if (same && a.rest == b.rest) return Verdict::identical;
  if (kind.rule == Rule::values) return Verdict::different;
  if (kind.rule == Rule::product) {
    if (!in_range<T>(bound[0])) return Verdict::unjudged;
    const T gap = std::hypot(a.x[0] - b.x[0], a.x[1] - b.x[1]);
    return gap <= static_cast<T>(slack) * std::hypot(b.x[0], b.x[1]) ? Verdict::rounded : Verdict::different;
  }
  Verdict worst = Verdict::rounded;
  for (int k = 0; k < kind.numbers; ++k) {
    if (!in_range<T>(bound[k])) return Verdict::unjudged;
    if (!(std::fabs(a.x[k] - b.x[k]) <= static_cast<T>(slack * bound[k]))) worst = Verdict::different;
  }
  return worst;
}

/// The term of a number `x` in the bound: |x| for a sum, max(|x|, 1/|x|) for a product. The terms are summed or
/// multiplied over the same ranks. If that result is far from overflow, no order of the reduction itself overflows or
/// underflows.
double magnitude(double x, Rule rule) {
  const double size = std::fabs(x);
  if (rule == Rule::sum) return size;
  return size == 0 ? 1 : std::fmax(size, 1 / size);  // a product with a zero is zero in any order
}

}  // namespace

std::int64_t magnitude_count(std::int64_t count, const Kind& kind) {
  return kind.rule == Rule::sum ? count * kind.numbers : count;
}

void magnitudes(const char* packed, std::int64_t count, const Kind& kind, double* out) {
  with_number(kind.number, [&](auto number) {
    for (std::int64_t i = 0; i < count; ++i) {
      const Element<decltype(number)> e(packed, i, kind);
      if (kind.rule == Rule::product)
        *out++ = magnitude(static_cast<double>(std::hypot(e.x[0], e.x[1])), kind.rule);
      else
        for (int k = 0; k < kind.numbers; ++k) *out++ = magnitude(static_cast<double>(e.x[k]), kind.rule);
    }
  });
}

bool bits_decide(const char* a, const char* b, std::int64_t count, const Kind& kind) {
  return kind.rule == Rule::bits || std::memcmp(a, b, static_cast<std::size_t>(count * kind.element_bytes)) == 0;
}

Deviation compare(const char* a, const char* b, std::int64_t count, const Kind& kind, int ranks, const double* bounds) {
  Deviation found;
  const std::int64_t per_element = kind.rule == Rule::sum ? kind.numbers : 1;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t at = i * kind.element_bytes;
    if (std::memcmp(a + at, b + at, static_cast<std::size_t>(kind.element_bytes)) == 0) continue;
    Verdict verdict = kind.rule == Rule::unknown ? Verdict::unjudged : Verdict::different;
    if (kind.rule != Rule::unknown && kind.rule != Rule::bits)
      verdict = with_number(kind.number, [&](auto number) {
        using T = decltype(number);
        const double* bound = bounds ? bounds + i * per_element : nullptr;
        return judge(Element<T>(a, i, kind), Element<T>(b, i, kind), kind, roundings<T>(ranks, kind), bound);
      });
    if (verdict > found.verdict) found = {verdict, 0, i};
    found.elements += verdict == found.verdict;
  }
  return found;
}

}  // namespace mpigraft::observe
