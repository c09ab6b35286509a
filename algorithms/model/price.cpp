// SPDX-License-Identifier: MIT
#include "algorithms/model/price.hpp"

#include "algorithms/model/replay.hpp"

namespace mpigraft::model {

double price(const Recording& recording, const Machine& machine) {
  NoData nothing;
  return Replay(recording, machine, nothing).run();
}

Cost cost_of(const Recording& recording, std::int64_t rounds) {
  const Volumes& most = recording.most;
  return {static_cast<int>(rounds), most.combined, recording.combined_last, most.sent, most.received};
}

Cost cost_of(const Recording& recording) {
  return cost_of(recording, static_cast<std::int64_t>(price(recording, count_rounds)));
}

}  // namespace mpigraft::model
