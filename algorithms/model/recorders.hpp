// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <utility>

#include "algorithms/catalogue.hpp"
#include "algorithms/model/recording.hpp"

namespace mpigraft::model {

/// Records the schedules of all ranks of an algorithm on p ranks with a vector of m elements. A caller that records
/// thousands of runs passes the last one as `reused`: fresh memory for its events would cost more than all the rest.
/// Throws std::length_error for more events, pages or elements than can be recorded.
Recording record(const AlgorithmInfo& info, int p, std::int64_t m, const Params& params = {}, bool in_place = false,
                 Recording&& reused = {});

/// An algorithm of the catalogue.
struct Recordable {
  std::string_view name;
  const AlgorithmInfo& info;

  Recording record(int p, std::int64_t m, const Params& params = {}, bool in_place = false,
                   Recording&& reused = {}) const {
    return model::record(info, p, m, params, in_place, std::move(reused));
  }
};

/// Calls f(Recordable) for every algorithm, in order.
template <class F>
void for_each_recordable(F f) {
  for (const Listed& each : listed) f(Recordable{each.name, *each.info});
}

}  // namespace mpigraft::model
