// SPDX-License-Identifier: MIT
#include <algorithm>
#include <span>

#include "algorithms/schedule/draft.hpp"

namespace mpigraft::schedule {
namespace {

using Origin = Record::Origin;
using Verb = Record::Verb;

/// The result's memory in cells, between the borders of all that may lie there.
class Cells {
 public:
  void clear() { firsts_.clear(), ends_.clear(); }
  void add_borders(std::int64_t first, std::int64_t count) {
    firsts_.push_back(first);
    firsts_.push_back(first + count);
  }
  void close() {
    std::ranges::sort(firsts_);
    firsts_.erase(std::ranges::unique(firsts_).begin(), firsts_.end());
    ends_.assign(firsts_.size(), -1);
  }
  /// Takes elements until `end`, if none of them is in use at `begin`.
  bool take(std::int64_t first, std::int64_t count, Time begin, Time end) {
    const auto cells = cells_of(first, count);
    if (std::ranges::any_of(cells, [=](Time used) { return used >= begin; })) return false;
    use(first, count, end);
    return true;
  }
  void use(std::int64_t first, std::int64_t count, Time end) {
    for (Time& used : cells_of(first, count)) used = std::max(used, end);
  }

 private:
  std::span<Time> cells_of(std::int64_t first, std::int64_t count) {
    const auto from = std::ranges::lower_bound(firsts_, first), to = std::ranges::lower_bound(firsts_, first + count);
    return {ends_.begin() + (from - firsts_.begin()), static_cast<std::size_t>(to - from)};
  }

  std::vector<std::int64_t> firsts_;
  std::vector<Time> ends_;  // of what lies in the cell that begins at firsts_[i]
};

/// Goes through the record in the order in which bases come into being.
class Forward {
 public:
  Forward(Draft& draft, Cells& cells) : draft_(draft), record_(*draft.record), cells_(cells) {}

  void run() {
    draft_.homes.assign(record_.bases.size(), {});
    draft_.copied.assign(record_.bases.size(), false);
    fill_cells();
    std::size_t arrival = next_recv(0);
    for (std::size_t i = 0; i < record_.ops.size(); ++i) {
      for (; arrival < record_.ops.size() && begin_of(arrival) <= start_of(i); arrival = next_recv(arrival + 1))
        place(record_.ops[arrival].value.base);
      if (record_.ops[i].verb == Verb::round) continue;
      const int base = record_.ops[i].value.base;
      if (!draft_.life(base).needed) continue;
      if (record_.ops[i].verb == Verb::combine) place(base);
      if (record_.ops[i].verb == Verb::join && !lies_in_values(base)) place(base);
    }
  }

 private:
  std::size_t next_recv(std::size_t i) const {
    while (i < record_.ops.size() && record_.ops[i].verb != Verb::recv) ++i;
    return i;
  }
  Time begin_of(std::size_t op) const { return draft_.life(record_.ops[op].value.base).begin; }

  void fill_cells() {
    cells_.clear();
    const auto lies_there = [&](int i) {
      return draft_.base(i).origin == Origin::input ? draft_.aliased : wish(i).group == Home::result;
    };
    const auto first = [&](int i) {
      return draft_.base(i).origin == Origin::input ? draft_.base(i).first : wish(i).at;
    };
    const int bases = static_cast<int>(record_.bases.size());
    for (int i = 0; i < bases; ++i)
      if (draft_.life(i).needed && lies_there(i)) cells_.add_borders(first(i), draft_.base(i).count);
    cells_.close();
    for (int i = 0; draft_.aliased && i < bases; ++i)
      if (draft_.life(i).needed && draft_.base(i).origin == Origin::input)
        cells_.use(draft_.base(i).first, draft_.base(i).count, draft_.life(i).end);
  }

  void place(int i) {
    const Home wanted = wish(i), operand = home_of_operand(i);
    if (wanted.group == Home::result && takes_result(i, wanted.at)) {
      home_of(i) = wanted;
      return;
    }
    const bool is_join = draft_.base(i).origin == Origin::join;  // its values may lie in its group, elsewhere
    const bool has_group = wanted.group >= 0 && !is_join;
    if (operand.group >= 0 && !(has_group && draft_.groups[static_cast<std::size_t>(wanted.group)].of_join))
      put(i, operand);
    else if (has_group)
      put(i, wanted);
    else
      put_apart(i);
  }
  void put_apart(int i) {
    draft_.groups.emplace_back();
    put(i, {static_cast<int>(draft_.groups.size()) - 1, 0});
  }
  bool takes_result(int i, std::int64_t at) {
    const Record::Base& base = draft_.base(i);
    Life& life = draft_.life(i);
    if (at < 0 || at + base.count > draft_.length) return false;
    if (home_of_operand(i) == Home{Home::result, at}) {
      cells_.use(at, base.count, life.end);
      return true;
    }
    if (cells_.take(at, base.count, overwrites_input(i, at) ? life.begin + 1 : life.begin, life.end)) return true;
    // a result that cannot be made there may be copied at once
    if (base.origin != Origin::sum || life.results != 1 || life.end != forever) return false;
    if (cells_.take(at, base.count, life.begin + 1, forever)) {
      draft_.copied[static_cast<std::size_t>(i)] = true;
      life.end = std::max(life.used, life.begin);
    }
    return false;
  }
  /// True if all that lies at the place of sum i in the result is the input that is its upper operand, and ends there.
  bool overwrites_input(int i, std::int64_t at) const {
    const Record::Base& base = draft_.base(i);
    if (!draft_.aliased || base.origin != Origin::sum || overwritten(i)) return false;
    const Record::Base &lower = draft_.base(base.lower), &upper = draft_.base(base.upper);
    const bool lower_elsewhere = lower.origin != Origin::input || lower.first + base.lower.first >= at + base.count ||
                                 lower.first + base.lower.first + base.count <= at;
    return upper.origin == Origin::input && upper.first == at && base.upper.count == upper.count && lower_elsewhere &&
           draft_.ends(base.upper, draft_.life(i).begin);
  }
  /// Gives a join the place of its values, if these lie one behind the other.
  bool lies_in_values(int i) {
    const std::span<const Value> values = record_.values_of(draft_.base(i));
    const auto start = [&](Value v) {
      const Home& home = home_of(v.base);
      return Home{home.group, home.at + v.first};
    };
    const Home first = start(values[0]);
    std::int64_t at = first.at;
    for (const Value& value : values) {
      if (first.group == Home::nowhere || start(value) != Home{first.group, at}) return false;
      at += value.count;
    }
    home_of(i) = first;
    return true;
  }
  void put(int i, Home home) {
    ScratchGroup& group = draft_.groups[static_cast<std::size_t>(home.group)];
    const Life& life = draft_.life(i);
    group.count = std::max(group.count, home.at + draft_.base(i).count);
    group.begin = std::min(group.begin, life.begin);
    group.end = std::max(group.end, life.end);
    group.under_way = std::max({group.under_way, life.end, life.under_way});
    home_of(i) = home;
  }

  const Home& wish(int i) const { return draft_.wishes[static_cast<std::size_t>(i)]; }
  const Home& home_of(int i) const { return draft_.homes[static_cast<std::size_t>(i)]; }
  Home& home_of(int i) { return draft_.homes[static_cast<std::size_t>(i)]; }
  Value overwritten(int i) const { return draft_.overwrites[static_cast<std::size_t>(i)]; }
  /// Where the operand lies that sum i may overwrite.
  Home home_of_operand(int i) const {
    const Value operand = overwritten(i);
    if (!operand) return {};
    const Home& home = home_of(operand.base);
    return {home.group, home.at + operand.first};
  }

  Draft& draft_;
  const Record& record_;
  Cells& cells_;
};

}  // namespace

void find_places(Draft& draft) {
  static thread_local Cells cells;
  Forward(draft, cells).run();
}

}  // namespace mpigraft::schedule
