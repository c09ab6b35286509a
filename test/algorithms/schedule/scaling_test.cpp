// SPDX-License-Identifier: MIT
// Which algorithms' schedules are proportional to the vector's length, as they state.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>

#include "algorithms/catalogue.hpp"
#include "algorithms/schedule/compile.hpp"
#include "test/algorithms/cases.hpp"

namespace mpigraft {
namespace {

using schedule::Address;
using schedule::Schedule;
using schedule::Step;

Address scaled(Address address, std::int64_t unit) { return {address.memory, address.at * unit}; }

bool is_scaled(const Step& one, const Step& other, std::int64_t unit) {
  return one.kind == other.kind && one.slot == other.slot && one.peer == other.peer && one.page == other.page &&
         one.count * unit == other.count && one.from_page * unit == other.from_page && scaled(one.a, unit) == other.a &&
         scaled(one.b, unit) == other.b && scaled(one.c, unit) == other.c;
}

bool is_scaled(const Schedule& one, const Schedule& other, std::int64_t unit) {
  const bool same_scratch = one.scratch.rows == other.scratch.rows && one.scratch.row * unit == other.scratch.row;
  return same_scratch && std::ranges::equal(one.steps, other.steps,
                                            [=](const Step& a, const Step& b) { return is_scaled(a, b, unit); });
}

/// The schedule of a vector of `unit` elements, or of parts of so many.
Schedule schedule_of(const AlgorithmInfo& info, int p, int rank, int root, bool aliased, std::int64_t unit) {
  static schedule::Compiler compiler;
  const bool in_parts = info_of(info.collective).has_parts();
  Params params{.root = root};
  if (in_parts) params.parts.each = unit;
  Schedule schedule;
  compiler.compile(info, p, rank, in_parts ? p * unit : unit, aliased, params, schedule);
  return schedule;
}

/// True if schedules of all ranks and roots are proportional to the length.
bool is_proportional(const AlgorithmInfo& info, int p) {
  for (int root = 0; root < (info_of(info.collective).rooted() ? p : 1); ++root)
    for (int rank = 0; rank < p; ++rank)
      for (const bool aliased : {false, true}) {
        const Schedule one = schedule_of(info, p, rank, root, aliased, 1);
        for (const std::int64_t unit : {2, 3, 7, 64, 1024, 1 << 17, 1 << 27}) {
          if (info.placement == Placement::one && unit * Params{}.element_bytes > page_bytes) break;
          if (!is_scaled(one, schedule_of(info, p, rank, root, aliased, unit), unit)) return false;
        }
      }
  return true;
}

}  // namespace

TEST_CASE("the schedules of an algorithm are proportional to the length if it states so", "[sizes]") {
  proof::for_each_proved([](const Listed& algorithm) {
    CAPTURE(algorithm.name);
    if (looks_at_nodes(algorithm.info->placement)) {
      CHECK_FALSE(algorithm.info->scales);
      return;
    }
    bool proportional = true;
    for (int p = 1; p <= 17 && proportional; ++p) proportional = is_proportional(*algorithm.info, p);
    CHECK(algorithm.info->scales == proportional);
  });
}

}  // namespace mpigraft
