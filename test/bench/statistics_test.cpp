// SPDX-License-Identifier: MIT
#include "shim/bench/statistics.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>

namespace mpigraft::bench {

TEST_CASE("The bound of the median's interval is that of the tables of order statistics") {
  // Tables count from 1: for n = 100 the interval is the 40th to the 61st value.
  CHECK(median_bound(6) == 0);
  CHECK(median_bound(8) == 0);
  CHECK(median_bound(9) == 1);
  CHECK(median_bound(20) == 5);
  CHECK(median_bound(50) == 17);
  CHECK(median_bound(100) == 39);
}

TEST_CASE("The bound of many values is that of the normal distribution") {
  const double n = 100'000;
  CHECK(static_cast<double>(median_bound(100'000)) == Approx(n / 2 - 1.96 * std::sqrt(n) / 2).margin(1.5));
}

TEST_CASE("A summary does not depend on the order of the values") {
  const Summary s = summarize({9, 1, 8, 2, 7, 3, 6, 4, 5});
  CHECK(s.minimum == 1);
  CHECK(s.median == 5);
  CHECK(s.low == 2);
  CHECK(s.high == 8);
}

TEST_CASE("The median of an even number of values lies between the middle two") {
  const Summary s = summarize({1, 2, 3, 5, 6, 7});
  CHECK(s.median == 4);
  CHECK(s.low == 1);
  CHECK(s.high == 7);
}

TEST_CASE("One slow repetition moves neither the median nor its interval") {
  std::vector<double> values(100);
  std::iota(values.begin(), values.end(), 1);
  const Summary calm = summarize(values);
  values.back() = 1e9;
  const Summary disturbed = summarize(values);
  CHECK(disturbed.median == calm.median);
  CHECK(disturbed.high == calm.high);
}

TEST_CASE("A verdict needs an interval outside those of both native arms") {
  const Summary native{9, 10, 9.5, 10.5}, null{10, 12, 11, 13};
  CHECK(judge({1, 2, 1.5, 9.4}, native, null) == Verdict::faster);
  CHECK(judge({1, 2, 1.5, 9.6}, native, null) == Verdict::noise);
  CHECK(judge({10, 11, 10.7, 10.8}, native, null) == Verdict::noise);
  CHECK(judge({12, 14, 12.9, 15}, native, null) == Verdict::noise);
  CHECK(judge({12, 14, 13.1, 15}, native, null) == Verdict::slower);
}

}  // namespace mpigraft::bench
