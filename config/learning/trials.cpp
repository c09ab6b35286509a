// SPDX-License-Identifier: MIT
#include "config/learning/trials.hpp"

#include <bit>

namespace mpigraft::learning {

namespace {

Kind kind_of(const table::Query& query, Order order) {
  const bool combines = info_of(query.collective).combines();
  return {.collective = query.collective,
          .size_class = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(query.bytes))),
          .commutative = !combines || query.commutative,
          .user = combines && query.user,
          .order = order};
}

}  // namespace

Entry* Trials::find(const table::Query& query, Order order) {
  const Kind kind = kind_of(query, order);
  for (int i = 0; i < count_; ++i)
    if (std::optional<Entry>& entry = entries_[static_cast<std::size_t>(i)]; entry->kind == kind) return &*entry;
  return nullptr;
}

Entry& Trials::begin(const table::Query& query, const Candidates& candidates, Cores cores, unsigned order,
                     Order keeps) {
  std::optional<Entry>& entry = entries_[static_cast<std::size_t>(count_++)];
  return entry.emplace(
      Entry{kind_of(query, keeps), candidates, Trial(candidates.count, cores, order + static_cast<unsigned>(count_))});
}

}  // namespace mpigraft::learning
