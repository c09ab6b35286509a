// SPDX-License-Identifier: MIT
// The trials on one communicator, one for each kind of calls. Their memory is allocated at the start, because a rank
// that had none later would run other candidates than the others.
#pragma once

#include <array>
#include <bit>
#include <optional>

#include "config/learning/candidates.hpp"

namespace mpigraft::learning {

/// Calls that share a trial.
struct Kind {
  Collective collective{};
  int size_class = 0;  // bytes up to, not including, 2^size_class, and at least half of that; 0: none
  bool commutative = true, user = false;
  Order order = Order::any;
  table::Range alike = {};  // bytes for which the table chooses as for these

  friend bool operator==(const Kind&, const Kind&) = default;
};

inline Kind kind_of(const table::Query& query, Order order, table::Range alike) {
  const bool combines = info_of(query.collective).combines();
  return {.collective = query.collective,
          .size_class = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(query.bytes))),
          .commutative = !combines || query.commutative,
          .user = combines && query.user,
          .order = order,
          .alike = alike};
}

struct Entry {
  Kind kind;
  Candidates candidates;
  Trial trial;

  const table::Choice& choice(int candidate) const { return candidates.choices[static_cast<std::size_t>(candidate)]; }
};

class Trials {
 public:
  /// The trial for calls like this one; null if there is none.
  Entry* find(const table::Query& query, Order order = Order::any, table::Range alike = {}) {
    const Kind kind = kind_of(query, order, alike);
    for (int i = 0; i < count_; ++i)
      if (std::optional<Entry>& entry = entries_[static_cast<std::size_t>(i)]; entry->kind == kind) return &*entry;
    return nullptr;
  }
  bool full() const { return count_ == most; }
  /// Begins a trial for calls like this one; `order` differs between communicators. REQUIRES: find(query, keeps) is
  /// null, and !full().
  Entry& begin(const table::Query& query, const Candidates& candidates, Cores cores, unsigned order,
               Order keeps = Order::any, table::Range alike = {}) {
    std::optional<Entry>& entry = entries_[static_cast<std::size_t>(count_++)];
    return entry.emplace(Entry{kind_of(query, keeps, alike), candidates,
                               Trial(candidates.count, cores, order + static_cast<unsigned>(count_))});
  }

  int count() const { return count_; }
  const Entry& at(int i) const { return *entries_[static_cast<std::size_t>(i)]; }

 private:
  static constexpr int most = 32;
  std::array<std::optional<Entry>, most> entries_;
  int count_ = 0;
};

}  // namespace mpigraft::learning
