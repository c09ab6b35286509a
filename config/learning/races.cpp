// SPDX-License-Identifier: MIT
#include "config/learning/races.hpp"

#include <algorithm>
#include <bit>

namespace mpigraft::learning {

Entry* Races::race_for(const table::Query& query, const table::Place& place, const table::Choice& by_table,
                       const Machine& machine) {
  const bool combines = info_of(query.collective).combines();
  const Kind kind{.collective = query.collective,
                  .size_class = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(query.bytes))),
                  .commutative = !combines || query.commutative,
                  .user = combines && query.user};
  for (int i = 0; i < count_; ++i)
    if (std::optional<Entry>& entry = entries_[static_cast<std::size_t>(i)]; entry->kind == kind) return &*entry;
  if (count_ == most) return nullptr;
  const Candidates candidates =
      candidates_for(query, place, by_table, std::int64_t{1} << std::min(kind.size_class, 62), machine);
  std::optional<Entry>& entry = entries_[static_cast<std::size_t>(count_++)];
  return &entry.emplace(kind, candidates, Race(candidates.count));
}

}  // namespace mpigraft::learning
