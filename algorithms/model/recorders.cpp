// SPDX-License-Identifier: MIT
#include "algorithms/model/recorders.hpp"

#include <utility>

#include "algorithms/model/recording_transport.hpp"
#include "algorithms/schedule/carry_out.hpp"

namespace mpigraft::model {

Recording record(const AlgorithmInfo& info, int p, std::int64_t m, const Params& params, bool in_place,
                 Recording&& reused) {
  const auto run = [&](RecordingTransport& net, const Operands& operands, const Params& own) {
    schedule::carry_out(info, net, operands, own);
  };
  return record_run(info_of(info.collective), info.k_ported ? params.ports : 1, run, p, m, params, in_place,
                    std::move(reused));
}

}  // namespace mpigraft::model
