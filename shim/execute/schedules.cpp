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

bool ScheduleKey::operator==(const ScheduleKey& other) const {
  const Params &mine = params, &theirs = other.params;
  return algorithm == other.algorithm && elements == other.elements && piece == other.piece &&
         mine.root == theirs.root && mine.element_bytes == theirs.element_bytes && mine.segment == theirs.segment &&
         mine.largest_block == theirs.largest_block && mine.ports == theirs.ports && mine.barrier == theirs.barrier;
}

const PieceSchedules* Schedules::make(bool aliased) {
  do {
    try {
      compile(aliased);
      is_made_[aliased] = true;
      return &made_[aliased];
    } catch (const std::bad_alloc&) {
    }
  } while (release_reserve());
  return nullptr;
}

void Schedules::compile(bool aliased) {
  static thread_local schedule::Compiler compiler;
  PieceSchedules& made = made_[aliased];
  const AlgorithmInfo& info = info_of(key_.algorithm);
  compiler.compile(info, ranks_, rank_, key_.piece, aliased, key_.params, made.each);
  made.scratch = made.each.scratch.count();
  const std::int64_t rest = key_.piece > 0 ? key_.elements % key_.piece : 0;
  if (rest == 0) return;
  compiler.compile(info, ranks_, rank_, rest, aliased, key_.params, made.last);
  made.scratch = std::max(made.scratch, made.last.scratch.count());
}

std::size_t Schedules::steps() const {
  std::size_t steps = 0;
  for (const PieceSchedules& made : made_) steps += made.each.steps.size() + made.last.steps.size();
  return steps;
}

std::shared_ptr<Schedules> ScheduleCache::get(const ScheduleKey& key, int ranks, int rank) {
  auto found = std::ranges::find_if(kept_, [&](const auto& each) { return each->key() == key; });
  if (found == kept_.end()) {
    keep_reserve();
    trim();
    kept_.push_back(std::make_shared<Schedules>(key, ranks, rank));
    found = kept_.end() - 1;
  }
  std::rotate(kept_.begin(), found, found + 1);
  return kept_.front();
}

/// Makes room for one more, and forgets those that were used longest ago if they have too many steps.
void ScheduleCache::trim() {
  if (kept_.size() == most_kinds) kept_.pop_back();
  std::size_t steps = 0;
  const auto last =
      std::ranges::find_if(kept_, [&](const auto& each) { return (steps += each->steps()) > most_steps; });
  kept_.erase(last, kept_.end());
}

}  // namespace mpigraft::execute
