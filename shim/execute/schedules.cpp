// SPDX-License-Identifier: MIT
#include "shim/execute/schedules.hpp"

#include <algorithm>
#include <memory_resource>
#include <new>

#include "algorithms/catalogue.hpp"
#include "algorithms/schedule/compile.hpp"
#include "shim/base/log.hpp"
#include "shim/base/own_objects.hpp"
#include "shim/base/reserve.hpp"

namespace mpigraft::execute {
namespace {

// The memory in which longer schedules are made, or for more ranks, is freed at once: several times theirs.
constexpr std::size_t most_kept = 4096;

void add(std::atomic<std::int64_t>& now, std::atomic<std::int64_t>& most, std::int64_t more) {
  const std::int64_t all = now += more;
  for (std::int64_t known = most; known < all && !most.compare_exchange_weak(known, all);) {
  }
}

std::size_t hash_of(const ScheduleKey& key) {
  std::size_t hash = 0;
  for (const std::int64_t each : {std::int64_t{key.algorithm}, key.elements, std::int64_t{key.params.root}})
    hash = hash * 0x9e3779b97f4a7c15 + static_cast<std::size_t>(each);
  return hash;
}

}  // namespace

bool ScheduleKey::operator==(const ScheduleKey& other) const {
  const Params &mine = params, &theirs = other.params;
  return algorithm == other.algorithm && elements == other.elements && piece == other.piece &&
         mine.root == theirs.root && mine.element_bytes == theirs.element_bytes && mine.segment == theirs.segment &&
         mine.largest_block == theirs.largest_block && mine.ports == theirs.ports && mine.barrier == theirs.barrier &&
         mine.parts.each == theirs.parts.each && mine.parts.longer == theirs.parts.longer &&
         std::ranges::equal(mine.parts.firsts, theirs.parts.firsts);
}

Schedules::Schedules(const ScheduleKey& key, int ranks, int rank)
    : key_(key), firsts_(key.params.parts.firsts.begin(), key.params.parts.firsts.end()), ranks_(ranks), rank_(rank) {
  key_.params.parts.firsts = firsts_;
  add(schedule_counts.kept, schedule_counts.most_kept, 1);
}

Schedules::~Schedules() {
  --schedule_counts.kept;
  schedule_counts.bytes -= static_cast<std::int64_t>(steps() * sizeof(schedule::Step));
}

const PieceSchedules* Schedules::make(bool aliased) {
  is_made_[aliased] = base::ignore_bad_alloc([&] { compile(aliased); });
  if (!is_made_[aliased]) made_[aliased] = {};  // what was made of it is not counted
  return is_made_[aliased] ? &made_[aliased] : nullptr;
}

void Schedules::compile(bool aliased) {
  const std::size_t before = steps();
  // kept, so that later schedules need no memory but their own
  schedule::Compiler* const kept = base::of_thread<schedule::Compiler>();
  schedule::Compiler own, &compiler = kept ? *kept : own;
  const auto let_go = [&](std::size_t size) {
    if (kept && (size > most_kept || base::memory_is_short())) *kept = {};
  };
  let_go(0);  // of what the last one has left if it failed
  PieceSchedules& made = made_[aliased];
  const auto compile = [&](std::int64_t length, schedule::Schedule& schedule) {
    compiler.compile(info_of(key_.algorithm), ranks_, rank_, length, aliased, key_.params, schedule);
  };
  compile(key_.piece, made.each);
  made.scratch = made.each.scratch.count();
  if (const std::int64_t rest = key_.piece > 0 ? key_.elements % key_.piece : 0; rest > 0) compile(rest, made.last);
  made.scratch = std::max(made.scratch, made.last.scratch.count());
  let_go(made.each.steps.size() + static_cast<std::size_t>(ranks_));
  ++schedule_counts.made;
  add(schedule_counts.bytes, schedule_counts.most_bytes,
      static_cast<std::int64_t>((steps() - before) * sizeof(schedule::Step)));
}

std::size_t Schedules::steps() const {
  std::size_t steps = 0;
  for (const PieceSchedules& made : made_) steps += made.each.steps.size() + made.last.steps.size();
  return steps;
}

bool Schedules::is_set_aside() const {
  return base::is_set_aside(this) || base::is_set_aside(firsts_.data()) ||
         std::ranges::any_of(made_, [](const PieceSchedules& made) {
           return base::is_set_aside(made.each.steps.data()) || base::is_set_aside(made.last.steps.data());
         });
}

ScheduleCache::ScheduleCache() : kept_((base::set_memory_aside(), std::pmr::get_default_resource())) {}

std::shared_ptr<Schedules> ScheduleCache::get(const ScheduleKey& key, int ranks, int rank) {
  const bool is_short = base::memory_is_short();
  const std::size_t hash = hash_of(key);
  const auto [begin, end] = kept_.equal_range(hash);
  const auto found = std::find_if(begin, end, [&](const auto& each) { return each.second->key() == key; });
  if (found != end && !(is_short && found->second->is_set_aside())) return found->second;
  if (is_short)
    std::erase_if(kept_, [](const auto& each) { return base::is_set_aside(&each) || each.second->is_set_aside(); });
  if (kept_.size() == most_kinds || schedules_are_long()) kept_.clear();
  std::shared_ptr<Schedules> made;  // null without memory
  base::ignore_bad_alloc([&] {
    made = std::allocate_shared<Schedules>(std::pmr::polymorphic_allocator<>(), key, ranks, rank);
    kept_.emplace(hash, made);
  });
  return made;
}

}  // namespace mpigraft::execute
