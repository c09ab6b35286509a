// SPDX-License-Identifier: MIT
#include "config/analysis/prediction.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "algorithms/catalogue.hpp"
#include "algorithms/info.hpp"
#include "algorithms/model/price.hpp"
#include "algorithms/schedule/compile.hpp"
#include "config/table/table.hpp"

namespace mpigraft::analysis {

namespace {

/// Fewer blocks than this, of all ranks together, are replayed in milliseconds.
constexpr std::int64_t few_blocks = 1 << 15;

std::int64_t element_bytes(Collective collective, std::int64_t bytes) {
  return info_of(collective).combines() && bytes % 8 == 0 ? 8 : 1;
}

Params params_of(Collective collective, std::int64_t bytes, const Machine& machine, std::int64_t segment) {
  return {.element_bytes = element_bytes(collective, bytes), .segment = segment, .ports = 1, .machine = machine};
}

/// The most operator applications that an element of any result takes.
int products(const CollectiveInfo& info, int ranks) {
  int most = 0;
  for (int r = 0; r < ranks; ++r) {
    const RankRange from = info.sources_of(r, r, ranks, 0);
    if (info.has_result(r, 0)) most = std::max(most, from.hi - from.lo - 1);
  }
  return most;
}

bool is_priced(const AlgorithmInfo& info, Collective collective) {
  return info.collective == collective && info.placement == Placement::any;
}

}  // namespace

std::size_t priced_algorithms(Collective collective) {
  return static_cast<std::size_t>(
      std::ranges::count_if(listed, [=](const auto& entry) { return is_priced(*entry.info, collective); }));
}

double lower_bound(Collective collective, int ranks, std::int64_t bytes, const Machine& machine) {
  if (ranks == 1) return 0;
  const CollectiveInfo& info = info_of(collective);
  const auto m = static_cast<double>(bytes);
  const double transfer = info.transfer(ranks) * m * machine.per_byte;
  const double by_rounds = ceil_log2(ranks) * machine.latency + std::min(transfer, m * machine.per_byte);
  if (!info.combines()) return by_rounds;
  const double combines = m * machine.combine_per_byte * products(info, ranks) / ranks;
  return std::max(by_rounds, machine.latency + transfer + combines);
}

Cell Predictor::predict(Collective collective, int ranks, std::int64_t bytes) {
  Cell cell{collective, ranks, bytes, lower_bound(collective, ranks, bytes, machine_), {}};
  for (int i = 0; i < static_cast<int>(listed.size()); ++i) {
    const auto& [name, info] = listed[static_cast<std::size_t>(i)];
    if (!is_priced(*info, collective)) continue;
    if (begins_) begins_(name);
    cell.predictions.push_back(info->pipelined ? priced_pipeline(i, ranks, bytes)
                                               : Prediction{name, price(i, ranks, bytes, 0), 0});
  }
  std::ranges::stable_sort(cell.predictions, {}, &Prediction::seconds);
  return cell;
}

double Predictor::price(int index, int ranks, std::int64_t bytes, std::int64_t segment) {
  const Params params = params_of(info_of(index).collective, bytes, machine_, segment);
  try {
    memory_ = model::record(info_of(index), ranks, bytes / params.element_bytes, params, false, std::move(memory_));
  } catch (const std::length_error&) {
    return not_priced;
  }
  return model::price(memory_, machine_);
}

Predictor::Steady Predictor::steady(int index, int ranks, std::int64_t blocks, std::int64_t block_bytes) {
  // trees take turns by two, circulant graphs by the rounds that they take for one block
  const std::int64_t turn = 2 * std::max(1, ceil_log2(ranks)), rest = blocks % turn, all = blocks / turn;
  const auto seconds = [&](std::int64_t turns) {
    return price(index, ranks, (rest + turns * turn) * block_bytes, block_bytes);
  };
  for (std::int64_t turns = 1; turns < all / 8; turns *= 2) {
    const double first = seconds(turns), a_turn = seconds(turns + 1) - first;
    const auto holds = [&](std::int64_t more) {
      return seconds(turns + more) == first + a_turn * static_cast<double>(more);
    };
    bool steady = holds(2) && holds(3);
    for (std::int64_t more = turns + 4; steady && more < all / 8; more *= 2) steady = holds(more);
    if (steady) return {first + a_turn * static_cast<double>(all - turns), a_turn / static_cast<double>(turn)};
  }
  return {not_priced, 0};
}

double Predictor::price_of_repeats(int index, int ranks, std::int64_t bytes, std::int64_t segment) {
  const Collective collective = info_of(index).collective;
  const std::int64_t element = element_bytes(collective, bytes), elements = bytes / element;
  // a multiple of eight bytes is cut into elements of eight
  if (segment == table::unsegmented || segment < element || (element == 1 && info_of(collective).combines()))
    return price(index, ranks, bytes, segment);
  const std::int64_t blocks = (bytes + segment - 1) / segment;
  if (blocks * ranks < few_blocks) return price(index, ranks, bytes, segment);
  const std::int64_t shorter = elements / blocks, longer = elements % blocks;
  const Steady some = steady(index, ranks, blocks, shorter * element);
  if (longer == 0 && some.seconds != not_priced) return some.seconds;
  if (some.seconds == not_priced) return price(index, ranks, bytes, segment);
  // the longer ones come first and fill the pipeline
  const Steady most = steady(index, ranks, blocks, (shorter + 1) * element);
  if (most.seconds == not_priced) return price(index, ranks, bytes, segment);
  return most.seconds - static_cast<double>(blocks - longer) * (most.per_block - some.per_block);
}

/// Rank 1 tells the length of a block. Blocks differ by an element; cut by the longer ones, there are as many.
Prediction Predictor::priced_pipeline(int index, int ranks, std::int64_t bytes) {
  const auto& [name, info] = listed[static_cast<std::size_t>(index)];
  const Params params = params_of(info->collective, bytes, machine_, 0);
  const std::int64_t elements = bytes / params.element_bytes;
  schedule::Schedule schedule;
  schedule::Compiler().compile(*info, ranks, std::min(1, ranks - 1), elements, false, params, schedule);
  std::int64_t block = elements;
  for (const schedule::Step& step : schedule.steps)
    if (step.count > 0) block = std::min<std::int64_t>(block, step.count);
  const bool whole = block == elements, few = whole || elements / block * ranks < few_blocks;
  const double seconds =
      few ? price(index, ranks, bytes, 0) : price_of_repeats(index, ranks, bytes, (block + 1) * params.element_bytes);
  if (seconds == not_priced) return {name, not_priced, 0};
  return {name, seconds, whole ? table::unsegmented : block * params.element_bytes};
}

}  // namespace mpigraft::analysis
