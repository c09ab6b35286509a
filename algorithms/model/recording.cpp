// SPDX-License-Identifier: MIT
#include "algorithms/model/recording.hpp"

#include <algorithm>
#include <utility>

#include "algorithms/model/recording_transport.hpp"
#include "algorithms/schedule/compile.hpp"

namespace mpigraft::model {

Recording record(const AlgorithmInfo& info, int p, std::int64_t m, const Params& params, bool in_place,
                 Recording&& reused) {
  const auto run = [&](RecordingTransport& net, const Operands& operands, const Params& own) {
    schedule::carry_out(info, net, operands, own);
  };
  return record_run(info, run, p, m, params, in_place, std::move(reused));
}

Recording record_run(const AlgorithmInfo& info, const Run& run, int p, std::int64_t m, const Params& params,
                     bool in_place, Recording&& reused) {
  constexpr std::size_t most_events = std::size_t{1} << 25;  // 1.1 GiB
  if (2 * m >= outside.at) throw std::length_error("too many elements to record");
  const CollectiveInfo& collective = info_of(info.collective);
  Recording recording{&collective, p, m, params, in_place, info.k_ported ? params.ports : 1};
  if (collective.has_parts()) recording.params.parts = parts_of(p, m, params);
  recording.events.swap(reused.events);
  recording.events.clear();
  for (int r = 0; r < p; ++r) {
    RecordingTransport net(recording, r);
    run(net, net.operands(), recording.params);
    net.close();
    if (recording.events.size() > most_events) {
      recording.events.swap(reused.events);
      throw std::length_error("too many events to record");
    }
  }
  return recording;
}

Span Recording::input(int rank) const {
  const std::int64_t at = aliased(rank) ? collective->input.first(rank, params.parts) : 0;
  return {static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(collective->input.count(rank, m, params.parts))};
}

Span Recording::result(int rank) const {
  const Span in = input(rank);
  return {aliased(rank) ? 0 : in.at + in.count,
          static_cast<std::uint32_t>(collective->result.count(rank, m, params.parts))};
}

std::uint32_t Recording::end_of_operands(int rank) const {
  const Span in = input(rank), out = result(rank);
  return std::max(in.at + in.count, out.at + out.count);
}

Span Recording::writable_result(int rank) const {
  const bool only_scratch = !has_result(rank) || (collective->has_one_buffer() && has_input(rank));
  return only_scratch ? Span{} : result(rank);
}

}  // namespace mpigraft::model
