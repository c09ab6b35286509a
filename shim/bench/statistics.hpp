// SPDX-License-Identifier: MIT
// Figures that need no distribution: times of calls are skewed, and with more ranks than cores have several modes.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace mpigraft::bench {

/// Below, even the range of all values holds the median with less than 95 %.
inline constexpr std::size_t fewest_values = 6;

/// The largest i such that, of n sorted values, values[i] and values[n - 1 - i] enclose the median of their
/// distribution with at least 95 %. REQUIRES: n >= fewest_values.
std::size_t median_bound(std::size_t n);

struct Summary {
  double minimum, median, low, high;  // low, high: 95 % interval of the median
};

/// REQUIRES: at least fewest_values.
Summary summarize(std::vector<double> values);

enum class Verdict { noise, faster, slower };

constexpr std::string_view name_of(Verdict v) {
  return v == Verdict::faster ? "faster" : v == Verdict::slower ? "slower" : "";
}

/// Faster or slower only where the interval lies outside those of both native arms: what these two differ by is noise.
Verdict judge(const Summary& arm, const Summary& native, const Summary& null);

}  // namespace mpigraft::bench
