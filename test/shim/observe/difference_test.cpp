// SPDX-License-Identifier: MIT
#include "shim/observe/difference.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace mpigraft {
namespace {

using namespace observe;

using Rule = Kind::Rule;
using Number = Kind::Number;

template <class T>
constexpr Number number_of = sizeof(T) == 4   ? Number::single
                             : sizeof(T) == 8 ? Number::twofold
                                              : Number::extended;

template <class T>
Kind kind(Rule rule, int numbers = 1) {
  return {.element_bytes = static_cast<std::int64_t>(sizeof(T)) * numbers,
          .rule = rule,
          .number = number_of<T>,
          .numbers = numbers};
}

template <class T>
const char* bytes(const T& x) {
  return reinterpret_cast<const char*>(&x);
}

/// The verdict on one real number each.
template <class T>
Verdict verdict(T a, T b, Rule rule, int ranks = 2, double bound = 0) {
  return compare(bytes(a), bytes(b), 1, kind<T>(rule), ranks, &bound).verdict;
}

template <class T>
double bound_of(const std::vector<T>& terms, Rule rule) {
  double all = rule == Rule::sum ? 0 : 1;
  for (const T x : terms) {
    double magnitude = 0;
    magnitudes(bytes(x), 1, kind<T>(rule), &magnitude);
    all = rule == Rule::sum ? all + magnitude : all * magnitude;
  }
  return all;
}

template <class T>
T folded(const std::vector<T>& terms, Rule rule) {
  T all = terms[0];
  for (std::size_t i = 1; i < terms.size(); ++i) all = rule == Rule::sum ? all + terms[i] : all * terms[i];
  return all;
}

/// Two orders of the same terms are both right; what lies further off than twice the bound is not.
template <class T>
void orders(Rule rule) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> between(-2, 2);
  for (int trial = 0; trial < 300; ++trial) {
    const int ranks = 2 + trial % 40;
    std::vector<T> terms(static_cast<std::size_t>(ranks));
    for (T& x : terms) x = static_cast<T>(between(random));
    const T one = folded(terms, rule);
    const double bound = bound_of(terms, rule);
    std::ranges::shuffle(terms, random);
    CHECK(verdict(one, folded(terms, rule), rule, ranks, bound) <= Verdict::rounded);
    const T scale = rule == Rule::sum ? static_cast<T>(bound) : std::fabs(one);
    const T off = one + 4 * static_cast<T>(ranks) * std::numeric_limits<T>::epsilon() * scale;
    CHECK(verdict(one, off, rule, ranks, bound) == Verdict::different);
  }
}

}  // namespace

TEST_CASE("sums and products in any order differ by rounding, and no more") {
  for (const Rule rule : {Rule::sum, Rule::product}) {
    orders<float>(rule);
    orders<double>(rule);
    orders<long double>(rule);
  }
}

TEST_CASE("cancellation is allowed for, a lost term is not") {
  const std::vector<double> terms{1e16, 1, -1e16};
  CHECK(verdict(0.0, 1.0, Rule::sum, 3, bound_of(terms, Rule::sum)) == Verdict::rounded);
  CHECK(verdict(3.0, 5.0, Rule::sum, 3, bound_of(std::vector{1.0, 2.0, 2.0}, Rule::sum)) == Verdict::different);
}

TEST_CASE("where an order may overflow nothing is judged") {
  const double inf = std::numeric_limits<double>::infinity();
  CHECK(verdict(inf, 1e308, Rule::sum, 3, bound_of(std::vector{1e308, 1e308, -1e308}, Rule::sum)) == Verdict::unjudged);
  CHECK(verdict(0.0, 1e-10, Rule::product, 3, bound_of(std::vector{1e-200, 1e-200, 1e200}, Rule::product)) ==
        Verdict::unjudged);
  CHECK(verdict(inf, 8.0, Rule::product, 3, bound_of(std::vector{2.0, 2.0, 2.0}, Rule::product)) == Verdict::different);
  CHECK(verdict(1.f, 2.f, Rule::sum, 2, 1e38) == Verdict::unjudged);  // of float, not of double
  CHECK(verdict(0.0, 1.0, Rule::product, 3, bound_of(std::vector{0.0, 2.0, 3.0}, Rule::product)) == Verdict::different);
}

TEST_CASE("values: equal numbers may differ in bits") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(verdict(0.0, -0.0, Rule::values) == Verdict::identical);
  CHECK(verdict(nan, -nan, Rule::values) == Verdict::identical);
  CHECK(verdict(1.0, nan, Rule::values) == Verdict::different);
  CHECK(verdict(1.0, std::nextafter(1.0, 2.0), Rule::values) == Verdict::different);
  CHECK(verdict(0.0, -0.0, Rule::bits) == Verdict::different);
  CHECK(verdict(1.0, 2.0, Rule::unknown) == Verdict::unjudged);
}

TEST_CASE("pairs are values with an index") {
  struct Pair {
    double x;
    std::int64_t index;
  };
  const Pair a{0.0, 3}, b{-0.0, 3}, c{0.0, 4};
  const Kind pair{.element_bytes = 16, .rule = Rule::values, .number = Number::twofold};
  CHECK(compare(bytes(a), bytes(b), 1, pair, 2, nullptr).verdict == Verdict::identical);
  CHECK(compare(bytes(a), bytes(c), 1, pair, 2, nullptr).verdict == Verdict::different);
}

TEST_CASE("complex products are judged by their modulus") {
  const double a[] = {3e-17, 5}, b[] = {0, 5}, c[] = {1e-3, 5};
  double bound = 0;
  const Kind product = kind<double>(Rule::product, 2);
  REQUIRE(magnitude_count(1, product) == 1);
  magnitudes(bytes(a), 1, product, &bound);
  CHECK(bound == 5);
  CHECK(compare(bytes(a), bytes(b), 1, product, 4, &bound).verdict == Verdict::rounded);
  CHECK(compare(bytes(a), bytes(c), 1, product, 4, &bound).verdict == Verdict::different);
  CHECK(magnitude_count(3, kind<double>(Rule::sum, 2)) == 6);
}

TEST_CASE("the gravest verdict counts, from its first element") {
  const std::vector<double> a{1, 2, 3, 4, 5}, bounds(5, 10.0);
  std::vector<double> b = a;
  const Kind sum = kind<double>(Rule::sum);
  const auto compared = [&] { return compare(bytes(a[0]), bytes(b[0]), 5, sum, 2, bounds.data()); };
  CHECK(bits_decide(bytes(a[0]), bytes(b[0]), 5, sum));
  CHECK(compared().verdict == Verdict::identical);
  b[0] = std::nextafter(1.0, 2.0);
  CHECK_FALSE(bits_decide(bytes(a[0]), bytes(b[0]), 5, sum));
  CHECK(compared().verdict == Verdict::rounded);
  b[2] = b[4] = 0;
  CHECK(compared().verdict == Verdict::different);
  CHECK(compared().elements == 2);
  CHECK(compared().first == 2);
}

}  // namespace mpigraft
