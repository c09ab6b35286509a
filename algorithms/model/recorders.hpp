// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "algorithms/catalogue.hpp"
#include "algorithms/model/recording.hpp"

namespace mpigraft::model {

/// Records all ranks of an algorithm on p ranks with m elements; see `record`.
using Recorder = Recording (*)(int p, std::int64_t m, const Params& params, bool in_place, Recording&& reused);

/// `recorders[i]` records algorithm i of `listed`. They are compiled only once, for all users of every algorithm.
extern const std::array<Recorder, listed.size()> recorders;

/// The catalogue, each algorithm with its recorder.
struct Recordable {
  std::string_view name;
  const AlgorithmInfo& info;
  Recorder recorder;

  Recording record(int p, std::int64_t m, const Params& params = {}, bool in_place = false,
                   Recording&& reused = {}) const {
    return recorder(p, m, params, in_place, std::move(reused));
  }
};

/// Calls f(Recordable) for every algorithm, in order.
template <class F>
void for_each_recordable(F f) {
  for (std::size_t i = 0; i < listed.size(); ++i) f(Recordable{listed[i].name, *listed[i].info, recorders[i]});
}

}  // namespace mpigraft::model
