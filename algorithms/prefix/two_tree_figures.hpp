// SPDX-License-Identifier: MIT
// How the scan along two trees cuts the vector, and its figures.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "algorithms/info.hpp"
#include "algorithms/patterns/log2.hpp"
#include "algorithms/patterns/two_tree_figures.hpp"
#include "algorithms/patterns/two_tree_scan.hpp"

namespace mpigraft::prefix {

template <bool exclusive>
struct TwoTreeFigures {
  /// Both walks together: nobody waits for the end of the first before it begins the second.
  static Theorem theorem(int p, std::int64_t m, const Params& params) {
    const two_trees::Halves cut = halves(p, m, params);
    std::vector<two_trees::Plan> up, down;
    Theorem stated;
    for (int r = 0; r < p; ++r) {
      const two_trees::ScanPlan plan(r, p, left_first(cut, params));
      stated.applications_last = applications(plan, cut);
      stated.applications = std::max(stated.applications, stated.applications_last);
      stated.sent = std::max(stated.sent, volume(plan.up.above, cut) + volume(plan.down.below, cut));
      stated.received = std::max(stated.received, volume(plan.up.below, cut) + volume(plan.down.above, cut));
      up.push_back(plan.up);
      down.push_back(plan.down);
    }
    two_trees::Clocks clocks(up.size(), cut);
    clocks.walk(up, true);
    clocks.walk(down, false);
    stated.rounds = clocks.latest();
    return stated;
  }

  static two_trees::Halves halves(int p, std::int64_t m, const Params& params) {
    return two_trees::halves_of(m, params, {4.0 * ceil_log2(p), 4}, true);
  }

  /// Number of uppermost levels that would be late if they joined L to the input between the walks. Every level has
  /// more time for it than the one above, by three steps less what its neighbours are late; in the model 1.7 steps give
  /// the best trees.
  static int left_first(const two_trees::Halves& cut, const Params& params) {
    if (exclusive) return 0;
    const auto seconds = [&](std::int64_t elements, double per_byte) {
      return static_cast<double>(elements * params.element_bytes) * per_byte;
    };
    const Machine& machine = params.machine;
    const double step = machine.latency + seconds(cut.longest(), machine.per_byte + machine.combine_per_byte);
    return static_cast<int>(
        std::ceil(std::min(30.0, seconds(cut.elements(0), machine.combine_per_byte) / (1.7 * step))));
  }

  static std::int64_t applications(const two_trees::ScanPlan& plan, const two_trees::Halves& cut) {
    std::int64_t sum = 0;
    for (const int half : {0, 1}) {
      const auto h = static_cast<std::size_t>(half);
      const int left = plan.left[h], right = plan.right[h], up = plan.sends_up[h], prefix = plan.has_prefix[h];
      const int inclusively = left + up * right + prefix + plan.keeps_sums(half, false);
      const int exclusively = plan.keeps_sums(half, true)
                                  ? left + up * right + prefix * (left + right)
                                  : up * (left + right) + prefix * left + right * (left | prefix);
      sum += cut.elements(half) * (exclusive ? exclusively : inclusively);
    }
    return sum;
  }
};

}  // namespace mpigraft::prefix
