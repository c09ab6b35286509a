// SPDX-License-Identifier: MIT
#include "config/prediction.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "algorithms/catalogue.hpp"
#include "algorithms/model/price.hpp"
#include "algorithms/model/recording_transport.hpp"
#include "algorithms/patterns/log2.hpp"
#include "config/table.hpp"

namespace mpigraft {

namespace {

constexpr std::int64_t smallest_segment = 64;
constexpr std::int64_t most_messages = 4'000'000;  // half a second

using Record = model::Recording (*)(int p, std::int64_t m, const Params& params, model::Recording reused);

constexpr auto recorders = std::apply(
    [](auto... entry) {
      return std::array<Record, sizeof...(entry)>{
          [](int p, std::int64_t m, const Params& params, model::Recording reused) {
            return model::record<typename decltype(entry)::algorithm>(p, m, params, false, std::move(reused));
          }...};
    },
    catalogue);

/// Broadcasts move bytes; the others whole elements, eight bytes where that divides.
std::int64_t element_bytes(Collective collective, std::int64_t bytes) {
  return collective == Collective::bcast || bytes % 8 != 0 ? 1 : 8;
}

Params params_of(Collective collective, std::int64_t bytes, const Machine& machine, std::int64_t segment) {
  return {.element_bytes = element_bytes(collective, bytes), .segment = segment, .machine = machine};
}

/// Whether the run has few enough messages to be recorded; a rank has at most one each way in a round.
bool affordable(const AlgorithmInfo& info, int ranks, std::int64_t bytes, const Params& params) {
  const std::int64_t rounds = info.theorem(ranks, bytes / params.element_bytes, params).rounds;
  return rounds * ranks <= most_messages;
}

/// Two an octave: a block size off by a factor 1.2 costs under two per cent.
std::vector<std::int64_t> segments(const AlgorithmInfo& info, std::int64_t bytes) {
  if (!info.pipelined) return {0};
  std::vector<std::int64_t> result{unsegmented};
  for (std::int64_t s = smallest_segment; s < bytes; s *= 2) result.insert(result.end(), {s, s + s / 2});
  return result;
}

std::optional<Prediction> best_of(int index, int ranks, std::int64_t bytes, const Machine& machine) {
  const auto& [name, info] = listed[static_cast<std::size_t>(index)];
  std::optional<Prediction> best;
  model::Recording recording{};
  for (const std::int64_t segment : segments(*info, bytes)) {
    if (!affordable(*info, ranks, bytes, params_of(info->collective, bytes, machine, segment))) continue;
    recording = recording_of(index, ranks, bytes, machine, segment, std::move(recording));
    const double seconds = model::price(recording, machine);
    if (!best || seconds < best->seconds) best = {name, seconds, segment};
  }
  return best;
}

}  // namespace

model::Recording recording_of(int index, int ranks, std::int64_t bytes, const Machine& machine, std::int64_t segment,
                              model::Recording reused) {
  const Params params = params_of(listed[static_cast<std::size_t>(index)].info->collective, bytes, machine, segment);
  return recorders[static_cast<std::size_t>(index)](ranks, bytes / params.element_bytes, params, std::move(reused));
}

double lower_bound(Collective collective, int ranks, std::int64_t bytes, const Machine& machine) {
  if (ranks == 1) return 0;
  const auto m = static_cast<double>(bytes);
  const double transfer = m * machine.per_byte;
  const double by_rounds = ceil_log2(ranks) * machine.latency + transfer;
  if (collective == Collective::bcast) return by_rounds;
  const double combines = m * machine.combine_per_byte * (ranks - 1) / ranks;
  return std::max(by_rounds, machine.latency + combines);
}

Cell predict(Collective collective, int ranks, std::int64_t bytes, const Machine& machine) {
  Cell cell{collective, ranks, bytes, lower_bound(collective, ranks, bytes, machine), {}};
  for (int i = 0; i < static_cast<int>(listed.size()); ++i)
    if (const AlgorithmInfo& info = *listed[static_cast<std::size_t>(i)].info;
        info.collective == collective && info.placement == Placement::any)
      if (const auto best = best_of(i, ranks, bytes, machine)) cell.predictions.push_back(*best);
  std::ranges::stable_sort(cell.predictions, {}, &Prediction::seconds);
  return cell;
}

}  // namespace mpigraft
