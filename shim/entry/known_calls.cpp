// SPDX-License-Identifier: MIT
#include "shim/entry/known_calls.hpp"

#include <algorithm>
#include <new>

namespace mpigraft::entry {

void KnownCall::resize_to(const abi::RawCall& raw) {
  length = raw.count;
  facts.elements = raw.equal ? raw.count * kind.ranks : raw.count;
  if (!plan.decision.is_native()) plan.resize(facts.elements, facts.datatype.size, kind.ranks);
}

/// Lengths that follow one another, also at a distance, get into different buckets (Fibonacci hashing).
std::uint64_t KnownCalls::hash_of(const abi::RawCall& raw, bool of_its_length) const {
  const std::int64_t length = of_its_length ? abi::length_of(raw, ranks_) : -1;
  const std::uint64_t kind = static_cast<std::uint64_t>(length) + (static_cast<std::uint64_t>(raw.root) << 40) +
                             (static_cast<std::uint64_t>(raw.collective) << 56);
  return kind * 0x9e3779b97f4a7c15;
}

KnownCall* KnownCalls::find(const abi::RawCall& raw) {
  KnownCall* const of_lengths = find(raw, hash_of(raw, false));
  return of_lengths ? of_lengths : find(raw, hash_of(raw, true));
}

KnownCall* KnownCalls::find(const abi::RawCall& raw, std::uint64_t hash) {
  Bucket* const bucket = bucket_of(hash).get();
  if (!bucket) return nullptr;
  const auto is_of_raw = [&](const Entry& each) { return each.hash == hash && each.known && each.known->is_of(raw); };
  const auto found = std::ranges::find_if(*bucket, is_of_raw);
  if (found == bucket->end()) return nullptr;
  std::rotate(bucket->begin(), found, found + 1);
  return bucket->front().known.get();
}

KnownCall* KnownCalls::keep(const abi::RawCall& raw) {
  if (execute::schedules_are_long()) forget_all();
  const std::uint64_t hash = hash_of(raw, latest.kind.more == 0);
  std::unique_ptr<Bucket>& bucket = bucket_of(hash);
  if (!bucket) bucket.reset(new (std::nothrow) Bucket);
  if (!bucket) return nullptr;
  auto place = std::ranges::find_if(*bucket, [](const Entry& each) { return !each.known || !each.known->collective; });
  if (place == bucket->end()) --place;
  if (!place->known) place->known.reset(new (std::nothrow) KnownCall);
  if (!place->known) return nullptr;
  *place->known = latest, place->hash = hash;
  std::rotate(bucket->begin(), place, place + 1);
  return bucket->front().known.get();
}

void KnownCalls::forget_all() {
  for (const auto& bucket : buckets_)
    for (std::size_t i = 0; bucket && i < bucket->size(); ++i)
      if (KnownCall* const known = (*bucket)[i].known.get()) known->forget();
}

bool KnownCalls::handles_last(std::uint64_t handles_freed) {
  constexpr int enough = 16;
  if (handles_freed_ != handles_freed) handles_freed_ = handles_freed, calls_since_ = 0;
  return calls_since_ == enough || ++calls_since_ == enough;
}

}  // namespace mpigraft::entry
