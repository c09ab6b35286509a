// SPDX-License-Identifier: MIT
#include "shim/entry/known_calls.hpp"

#include <algorithm>
#include <new>

namespace mpigraft::entry {

KnownCall* KnownCalls::find(const abi::RawCall& raw) {
  const auto end = kept_.begin() + count_;
  const auto found = std::find_if(kept_.begin(), end, [&](const auto& one) { return one->is_of(raw); });
  if (found == end) return nullptr;
  std::rotate(kept_.begin(), found, found + 1);
  return kept_[0].get();
}

KnownCall* KnownCalls::keep() {
  if (count_ < most && !kept_[count_]) kept_[count_].reset(new (std::nothrow) KnownCall);
  if (count_ < most && kept_[count_]) ++count_;
  if (count_ == 0) return nullptr;
  std::rotate(kept_.begin(), kept_.begin() + count_ - 1, kept_.begin() + count_);
  *kept_[0] = latest;
  return kept_[0].get();
}

void KnownCalls::forget(const KnownCall& one) {
  const auto end = kept_.begin() + count_;
  const auto found = std::find_if(kept_.begin(), end, [&](const auto& kept) { return kept.get() == &one; });
  if (found == end) return;
  std::rotate(found, found + 1, end);
  --count_;
}

void KnownCalls::forget_all() { count_ = 0; }

}  // namespace mpigraft::entry
