// SPDX-License-Identifier: MIT
// What the linear cost model says of a collective: every algorithm's time, and the least that any could take.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "algorithms/info.hpp"
#include "algorithms/model/recording.hpp"

namespace mpigraft {

struct Prediction {
  std::string_view algorithm;
  double seconds;
  std::int64_t segment;  // bytes of the pipeline block that was best; 0: not a pipeline
};

struct Cell {
  Collective collective;
  int ranks;
  std::int64_t bytes;
  double lower_bound;                   // seconds
  std::vector<Prediction> predictions;  // fastest first
};

/// Prices every algorithm of the collective from its recorded events, root 0, with the best block size found.
/// Runs of many millions of messages are left out, and algorithms
/// that ask for nodes: all links are alike here.
Cell predict(Collective collective, int ranks, std::int64_t bytes, const Machine& machine);

/// Seconds that no algorithm on one-ported, full-duplex ranks can beat: q = ceil(log2 p) start-ups and one message's
/// transfer; for reductions and scans no less than (p-1)/p of the vector combined after one start-up, since some rank
/// combines that much.
double lower_bound(Collective collective, int ranks, std::int64_t bytes, const Machine& machine);

/// The recorded run of algorithm `index` of the catalogue; the memory of `reused` serves again.
model::Recording recording_of(int index, int ranks, std::int64_t bytes, const Machine& machine, std::int64_t segment,
                              model::Recording reused = {});

}  // namespace mpigraft
