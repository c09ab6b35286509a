// SPDX-License-Identifier: MIT
#include "algorithms/model/price.hpp"

#include "algorithms/model/no_data.hpp"
#include "algorithms/model/replay.hpp"

namespace mpigraft::model {

double price(const Recording& recording, const Machine& machine) {
  NoData nothing;
  return Replay(recording, machine, nothing).run();
}

}  // namespace mpigraft::model
