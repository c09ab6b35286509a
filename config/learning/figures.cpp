// SPDX-License-Identifier: MIT
#include "config/learning/figures.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace mpigraft::learning {
namespace {

constexpr std::size_t eighth = 8;
constexpr double deviations = 1.4;  // of a normal distribution, to either side of an 84 % interval

double mean_of(std::span<const std::int64_t> times) {
  return std::reduce(times.begin(), times.end(), 0.0) / static_cast<double>(times.size());
}

double deviation_of(std::span<const std::int64_t> times) {
  const double mean = mean_of(times);
  const double squares = std::transform_reduce(times.begin(), times.end(), 0.0, std::plus{}, [&](std::int64_t time) {
    return (static_cast<double>(time) - mean) * (static_cast<double>(time) - mean);
  });
  return std::sqrt(squares / static_cast<double>(std::max<std::size_t>(times.size() - 1, 1)));
}

}  // namespace

/// The interval of a quantile ends at order statistics, as many to either side as the binomial distribution asks.
Figures quick_eighth(std::span<std::int64_t> times) {
  if (times.empty()) return {};
  std::ranges::sort(times);
  const std::size_t n = times.size(), at = n / eighth;
  const auto beside = static_cast<std::size_t>(std::ceil(deviations * std::sqrt(static_cast<double>(n * 7)) / eighth));
  return {times[at], times[at - std::min(at, beside)], times[std::min(n - 1, at + beside)]};
}

/// The standard error of a trimmed mean comes from the winsorised times, where those left out count as the slowest
/// kept.
Figures trimmed_mean(std::span<std::int64_t> times) {
  if (times.empty()) return {};
  std::ranges::sort(times);
  const std::size_t n = times.size(), kept = n - (n - 1 + eighth - 1) / eighth;  // at least one
  const double mean = mean_of(times.first(kept));
  std::ranges::fill(times.subspan(kept), times[kept - 1]);
  const double part = static_cast<double>(kept) / static_cast<double>(n);
  const double beside = deviations * deviation_of(times) / std::sqrt(static_cast<double>(n)) / part;
  return {std::llround(mean), std::llround(std::max(mean - beside, 0.0)), std::llround(mean + beside)};
}

}  // namespace mpigraft::learning
