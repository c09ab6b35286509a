// SPDX-License-Identifier: MIT
#include "shim/bench/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace mpigraft::bench {
namespace {

/// Probability of k heads in n tosses of a coin; by logarithms, as 2^-n underflows.
double heads(double n, double k) {
  return std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) - n * std::log(2));
}

}  // namespace

std::size_t median_bound(std::size_t n) {
  // The median lies below values[i] exactly if at most i of the n values fall below it.
  std::size_t i = 0;
  double below = heads(static_cast<double>(n), 0);
  for (;;) {
    below += heads(static_cast<double>(n), static_cast<double>(i + 1));
    if (below > 0.025) return i;
    ++i;
  }
}

Summary summarize(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t n = values.size(), bound = median_bound(n);
  return {.minimum = values.front(),
          .median = (values[(n - 1) / 2] + values[n / 2]) / 2,
          .low = values[bound],
          .high = values[n - 1 - bound]};
}

Verdict judge(const Summary& arm, const Summary& native, const Summary& null) {
  if (arm.high < std::min(native.low, null.low)) return Verdict::faster;
  if (arm.low > std::max(native.high, null.high)) return Verdict::slower;
  return Verdict::noise;
}

}  // namespace mpigraft::bench
