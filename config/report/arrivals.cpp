// SPDX-License-Identifier: MIT
#include "config/report/arrivals.hpp"

#include <algorithm>
#include <iterator>

namespace mpigraft::report {
namespace {

/// Halves the sample until it has room.
template <class T>
std::uint64_t thin(std::vector<T>& all, std::size_t most, std::uint64_t mask) {
  while (all.size() > most && mask != UINT64_MAX) {
    mask = 2 * mask + 1;
    std::erase_if(all, [=](const T& one) { return (one.id & mask) != 0; });
  }
  return mask;
}

Arrival later(const Arrival& a, const Arrival& b) {
  Arrival last = a.last > b.last || (a.last == b.last && a.rank < b.rank) ? a : b;
  last.ranks = a.ranks + b.ranks;
  return last;
}

/// True if a rank's part of a call needs that of another.
bool needs(const CollectiveInfo& info, int ranks, const SampledCall& call, int other) {
  const RankRange sources = info.sources_of(call.rank, other, ranks, call.root);
  const bool gets = !info.moves_data() || info.has_result(call.rank, call.root);
  return gets && sources.lo <= other && other < sources.hi;
}

}  // namespace

void Sample::keep(const SampledCall& call) {
  const std::size_t room = calls_.capacity();
  if (room == 0) return;
  if (calls_.size() == room) mask_ = thin(calls_, room - 1, mask_);
  if ((call.id & mask_) == 0 && calls_.size() < room) calls_.push_back(call);
}

void merge(std::vector<Arrival>& into, const std::vector<Arrival>& other) {
  std::vector<Arrival> both;
  both.reserve(into.size() + other.size());
  std::ranges::merge(into, other, std::back_inserter(both), {}, &Arrival::id, &Arrival::id);
  into.clear();
  for (const Arrival& arrival : both) {
    if (into.empty() || into.back().id != arrival.id)
      into.push_back(arrival);
    else
      into.back() = later(into.back(), arrival);
  }
  thin(into, most_arrivals, 0);
}

std::vector<Arrival> arrivals_of(const std::vector<const Sample*>& samples, std::int32_t world) {
  std::vector<Arrival> all;
  for (const Sample* sample : samples)
    for (const SampledCall& call : sample->calls())
      all.push_back({.id = call.id, .last = call.began, .rank = call.rank, .world = world, .ranks = 1});
  thin(all, most_arrivals, 0);
  std::ranges::sort(all, {}, &Arrival::id);
  return all;
}

Lateness lateness_of(const Sample& sample, const std::vector<Arrival>& arrivals, Collective collective, int ranks) {
  Lateness late;
  for (const SampledCall& call : sample.calls()) {
    const auto found = std::ranges::lower_bound(arrivals, call.id, {}, &Arrival::id);
    if (found == arrivals.end() || found->id != call.id || found->ranks != ranks) continue;
    LateRank& last = late.of(found->world);
    ++last.last;
    if (needs(info_of(collective), ranks, call, found->rank))
      last.waited_ns += std::clamp<std::int64_t>(found->last - call.began, 0, call.ns);
    ++late.calls;
    late.ns += call.ns;
  }
  return late;
}

}  // namespace mpigraft::report
