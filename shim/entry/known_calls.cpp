// SPDX-License-Identifier: MIT
#include "shim/entry/known_calls.hpp"

#include <algorithm>
#include <new>

namespace mpigraft::entry {

/// Lengths that follow one another, also at a distance, are in different buckets (Fibonacci hashing).
std::unique_ptr<KnownCalls::Bucket>& KnownCalls::bucket_of(const abi::RawCall& raw) {
  const std::uint64_t kind = static_cast<std::uint64_t>(raw.count) + (static_cast<std::uint64_t>(raw.root) << 40) +
                             (static_cast<std::uint64_t>(raw.collective) << 56);
  return buckets_[kind * 0x9e3779b97f4a7c15 / (UINT64_MAX / buckets_.size() + 1)];
}

KnownCall* KnownCalls::find(const abi::RawCall& raw) {
  Bucket* const bucket = bucket_of(raw).get();
  if (!bucket) return nullptr;
  const auto found = std::ranges::find_if(*bucket, [&](const auto& one) { return one && one->is_of(raw); });
  if (found == bucket->end()) return nullptr;
  std::rotate(bucket->begin(), found, found + 1);
  return bucket->front().get();
}

KnownCall* KnownCalls::keep(const abi::RawCall& raw) {
  if (execute::schedules_are_long()) forget_all();
  std::unique_ptr<Bucket>& bucket = bucket_of(raw);
  if (!bucket) bucket.reset(new (std::nothrow) Bucket);
  if (!bucket) return nullptr;
  auto place = std::ranges::find_if(*bucket, [](const auto& one) { return !one || !one->collective; });
  if (place == bucket->end()) --place;
  if (!*place) place->reset(new (std::nothrow) KnownCall);
  if (!*place) return nullptr;
  **place = latest;
  std::rotate(bucket->begin(), place, place + 1);
  return bucket->front().get();
}

void KnownCalls::forget_all() {
  for (const auto& bucket : buckets_)
    for (std::size_t i = 0; bucket && i < bucket->size(); ++i)
      if (KnownCall* const one = (*bucket)[i].get()) one->forget();
}

}  // namespace mpigraft::entry
