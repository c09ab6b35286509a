// SPDX-License-Identifier: MIT
#include "shim/execute/schedules.hpp"

#include <algorithm>
#include <atomic>
#include <new>

#include "algorithms/catalogue.hpp"
#include "algorithms/schedule/compile.hpp"

namespace mpigraft::execute {
namespace {

// Without its schedule a rank could not even send the messages by which the others learn that it failed. So there is
// memory for one, which nobody touches before.
std::atomic<char*> reserve{nullptr};
constexpr std::size_t reserved_bytes = 2 << 20;

void keep_reserve() {
  static const bool kept = [] {
    reserve = new (std::nothrow) char[reserved_bytes];
    return true;
  }();
  static_cast<void>(kept);
}

/// Returns false if there is no reserve any more.
bool release_reserve() {
  char* const memory = reserve.exchange(nullptr);
  delete[] memory;
  return memory != nullptr;
}

}  // namespace

const schedule::Schedule* Schedules::get(bool aliased) {
  if (is_made_[aliased]) return &made_[aliased];
  static thread_local schedule::Compiler compiler;
  do {
    try {
      compiler.compile(info_of(algorithm_), ranks_, rank_, length_, aliased, params_, made_[aliased]);
      is_made_[aliased] = true;
      return &made_[aliased];
    } catch (const std::bad_alloc&) {
    }
  } while (release_reserve());
  return nullptr;
}

bool Schedules::are_for(int algorithm, std::int64_t length, const Params& params) const {
  return algorithm_ == algorithm && length_ == length && params_.root == params.root &&
         params_.element_bytes == params.element_bytes && params_.segment == params.segment &&
         params_.largest_block == params.largest_block && params_.ports == params.ports &&
         params_.barrier == params.barrier;
}

std::shared_ptr<Schedules> ScheduleCache::get(int algorithm, int ranks, int rank, std::int64_t length,
                                              const Params& params) {
  keep_reserve();
  auto found =
      std::ranges::find_if(kept_, [&](const auto& each) { return !each || each->are_for(algorithm, length, params); });
  if (found == kept_.end()) --found;
  if (!*found || !(*found)->are_for(algorithm, length, params)) {
    trim();
    *found = std::make_shared<Schedules>(algorithm, ranks, rank, length, params);
  }
  std::rotate(kept_.begin(), found, found + 1);
  return kept_.front();
}

/// Forgets the schedules that were used longest ago if there are too many steps.
void ScheduleCache::trim() {
  std::size_t steps = 0;
  for (auto& each : kept_)
    if (each && (steps += each->steps()) > most_steps) each.reset();
}

}  // namespace mpigraft::execute
