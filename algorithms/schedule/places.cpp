// SPDX-License-Identifier: MIT
#include <algorithm>
#include <span>

#include "algorithms/schedule/draft.hpp"

namespace mpigraft::schedule {
namespace {

using Origin = Record::Origin;
using Verb = Record::Verb;

/// Goes through the record in the order in which bases come into being.
class Forward {
 public:
  explicit Forward(Draft& draft)
      : draft_(draft), record_(*draft.record), firsts_(draft.cells.firsts), ends_(draft.cells.ends) {}

  void run() {
    draft_.homes.assign(record_.bases.size(), {});
    draft_.births.assign(record_.bases.size(), {});
    fill_cells();
    std::size_t arrival = draft_.next_recv(0);
    for (std::size_t i = 0; i < record_.ops.size(); ++i) {
      for (; arrival < record_.ops.size() && draft_.begin_of(arrival) <= start_of(i);
           arrival = draft_.next_recv(arrival + 1))
        place(record_.ops[arrival].value.base, arrival);
      if (record_.ops[i].verb == Verb::round) continue;
      const int base = record_.ops[i].value.base;
      if (!draft_.life(base).needed) continue;
      if (record_.ops[i].verb == Verb::combine || record_.ops[i].verb == Verb::read) place(base, i);
      if (record_.ops[i].verb == Verb::join && !lies_in_values(base) && !fills_result(base) && !fills_group(base))
        place(base, i);
    }
  }

 private:
  void add_borders(std::int64_t first, std::int64_t count) {
    firsts_.push_back(first);
    firsts_.push_back(first + count);
  }
  void close_cells() {
    std::ranges::sort(firsts_);
    firsts_.erase(std::unique(firsts_.begin(), firsts_.end()), firsts_.end());
    ends_.assign(firsts_.size(), -1);
  }
  /// Takes elements of the result until `end`, if none of them is in use at `begin`.
  bool take(std::int64_t first, std::int64_t count, Time begin, Time end) {
    const auto cells = cells_of(first, count);
    if (std::ranges::any_of(cells, [=](Time used) { return used >= begin; })) return false;
    use(first, count, end);
    return true;
  }
  void use(std::int64_t first, std::int64_t count, Time end) {
    for (Time& used : cells_of(first, count)) used = std::max(used, end);
  }
  std::span<Time> cells_of(std::int64_t first, std::int64_t count) {
    const auto from = std::ranges::lower_bound(firsts_, first), to = std::ranges::lower_bound(firsts_, first + count);
    return {ends_.begin() + (from - firsts_.begin()), static_cast<std::size_t>(to - from)};
  }

  void fill_cells() {
    firsts_.clear();
    add_borders(0, draft_.result_length);
    const auto lies_there = [&](int i) {
      return draft_.base(i).origin == Origin::input ? draft_.aliased : wish(i).group == Home::result;
    };
    const auto first = [&](int i) {
      return draft_.base(i).origin == Origin::input ? draft_.place_of(draft_.base(i)) : wish(i).at;
    };
    const int bases = static_cast<int>(record_.bases.size());
    for (int i = 0; i < bases; ++i) {
      if (!draft_.life(i).needed || !lies_there(i)) continue;
      add_borders(first(i), draft_.base(i).count);
      std::int64_t at = first(i);
      for (const Value& value : record_.values_of(draft_.base(i))) add_borders(at, value.count), at += value.count;
    }
    close_cells();
    for (int i = 0; draft_.aliased && i < bases; ++i)
      if (draft_.life(i).needed && draft_.base(i).origin == Origin::input)
        use(draft_.place_of(draft_.base(i)), draft_.base(i).count, draft_.life(i).end);
  }

  /// `op` makes base i, or receives it.
  void place(int i, std::size_t op) {
    const Life& life = draft_.life(i);
    const Home wanted = wish(i);
    if (wanted.group == Home::result && takes_result(i, wanted.at)) {
      home_of(i) = wanted;
    } else if (wanted.group == Home::result && may_be_copied(i, wanted.at, op)) {
      home_of(i) = wanted;
      draft_.births[static_cast<std::size_t>(i)] = scratch_for(i, {.begin = life.begin, .end = work_of(op)});
    } else {
      home_of(i) = scratch_for(i, life);
    }
  }
  /// A place in scratch for base i during `life`.
  Home scratch_for(int i, const Life& life) {
    const Home wanted = wish(i), operand = home_of_operand(i);
    const bool is_join = draft_.base(i).origin == Origin::join;  // its values may lie in its group, elsewhere
    const bool has_group = wanted.group >= 0 && !is_join;
    Home home = wanted;
    if (operand.group >= 0 && !(has_group && draft_.groups[static_cast<std::size_t>(wanted.group)].of_join)) {
      home = operand;
    } else if (!has_group) {
      home = {static_cast<int>(draft_.groups.size()), 0};
      draft_.groups.emplace_back();
    }
    enlarge(home, draft_.base(i).count, life);
    return home;
  }
  /// Lets `count` elements lie in a group during `life`.
  void enlarge(const Home& home, std::int64_t count, const Life& life) {
    ScratchGroup& group = draft_.groups[static_cast<std::size_t>(home.group)];
    group.count = std::max(group.count, home.at + count);
    group.begin = std::min(group.begin, life.begin);
    group.under_way = std::max({group.under_way, life.end, life.under_way});
  }
  bool is_in_result(int i, std::int64_t at) const {
    return at >= 0 && at + draft_.base(i).count <= draft_.result_length;
  }
  bool takes_result(int i, std::int64_t at) {
    const Life& life = draft_.life(i);
    const std::int64_t count = draft_.base(i).count;
    if (!is_in_result(i, at)) return false;
    if (home_of_operand(i) != Home{Home::result, at}) return take(at, count, begin_at(i, at), life.end);
    use(at, count, life.end);
    return true;
  }
  /// True if a result that cannot be made in its place can be copied there once op `op` is over.
  bool may_be_copied(int i, std::int64_t at, std::size_t op) {
    const Record::Base& base = draft_.base(i);
    const bool is_there =
        base.origin == Origin::sum || record_.ops[op].overlap == Overlap::all || record_.ops[op].verb == Verb::read;
    return base.origin != Origin::join && is_there && draft_.life(i).end == forever && is_in_result(i, at) &&
           take(at, base.count, work_of(op) + 1, forever);
  }
  /// When base i begins to lie at a place in the result: after the input that it overwrites there, if it does.
  Time begin_at(int i, std::int64_t at) const { return draft_.life(i).begin + (overwrites_input(i, at) ? 1 : 0); }
  /// True if all that lies at the place of sum i in the result is the input that is its upper operand, and ends there.
  bool overwrites_input(int i, std::int64_t at) const {
    const Record::Base& base = draft_.base(i);
    if (!draft_.aliased || base.origin != Origin::sum || overwritten(i)) return false;
    const Record::Base &lower = draft_.base(base.lower), &upper = draft_.base(base.upper);
    const std::int64_t lower_at = draft_.place_of(lower) + base.lower.first;
    const bool lower_elsewhere =
        lower.origin != Origin::input || lower_at >= at + base.count || lower_at + base.count <= at;
    return upper.origin == Origin::input && draft_.place_of(upper) == at && base.upper.count == upper.count &&
           lower_elsewhere && draft_.ends(base.upper, draft_.life(i).begin);
  }
  /// Gives a join the place of its values, if these lie one behind the other. It stays in the result for good only
  /// where it is one.
  bool lies_in_values(int i) {
    const Home first = start_of_value(record_.values_of(draft_.base(i))[0]);
    if (first.group == Home::nowhere) return false;
    if (first.group == Home::result && draft_.life(i).end == forever && wish(i) != first) return false;
    const bool in_row = draft_.for_all_values(i, first.at, [&](Value v, std::int64_t at) {
      return start_of_value(v) == Home{first.group, at};
    });
    if (!in_row) return false;
    home_of(i) = first;
    return true;
  }
  /// Gives a join its place in the result, where some of its values lie already, and others are copied to. An input
  /// that is a result there lies there from then on.
  bool fills_result(int i) {
    const Home wanted = wish(i);
    if (wanted.group != Home::result || !is_in_result(i, wanted.at)) return false;
    const Time begin = draft_.life(i).begin;
    const bool fits = draft_.for_all_values(i, wanted.at, [&](Value value, std::int64_t at) {
      const Time end = moves_to(value, at) ? forever : draft_.life(i).end;
      return start_of_value(value) == Home{Home::result, at} || take(at, value.count, begin, end);
    });
    if (!fits) return false;
    home_of(i) = wanted;
    std::int64_t at = wanted.at;
    for (const Value& value : record_.values_of(draft_.base(i))) {
      if (moves_to(value, at) && home_of(value.base).group == Home::nowhere) {
        home_of(value.base) = {Home::result, at};
        draft_.life(value.base).begin = begin;
      }
      at += value.count;
    }
    return true;
  }
  /// Gives a join its place in its group, where some of its values lie already, and others are copied to.
  bool fills_group(int i) {
    const Home wanted = wish(i);
    const bool fits = draft_.for_all_values(i, wanted.at, [&](Value value, std::int64_t at) {
      const Home start = start_of_value(value);
      return start.group != wanted.group || start.at == at;
    });
    if (wanted.group < 0 || !fits) return false;
    home_of(i) = wanted;
    enlarge(wanted, draft_.base(i).count, draft_.life(i));
    return true;
  }
  /// True if v is an input whose place as a result is `at`.
  bool moves_to(Value v, std::int64_t at) const {
    return draft_.is(v, Origin::input) && !draft_.aliased && v.count == draft_.base(v).count &&
           draft_.life(v.base).end == forever && wish(v.base) == Home{Home::result, at};
  }
  /// True if the operands of a sum share memory.
  bool lie_together(const Record::Base& sum) const {
    const Home lower = start_of_value(sum.lower), upper = start_of_value(sum.upper);
    return lower.group != Home::nowhere && lower.group == upper.group && lower.at < upper.at + sum.count &&
           upper.at < lower.at + sum.count;
  }
  /// True if a part of a join lies in the memory of one of its values.
  bool lies_in_value(Value v) const {
    const Home& home = home_of(v.base);
    return !draft_.for_all_values(v.base, 0, [&](Value value, std::int64_t first) {
      const bool overlaps = first < v.first + v.count && v.first < first + value.count;
      return !overlaps || start_of_value(value) != Home{home.group, home.at + first};
    });
  }
  Home start_of_value(Value v) const {
    if (draft_.aliased && draft_.is(v, Origin::input)) return {Home::result, draft_.place_of(draft_.base(v)) + v.first};
    const Home& home = home_of(v.base);
    return {home.group, home.at + v.first};
  }

  const Home& wish(int i) const { return draft_.wishes[static_cast<std::size_t>(i)]; }
  const Home& home_of(int i) const { return draft_.homes[static_cast<std::size_t>(i)]; }
  Home& home_of(int i) { return draft_.homes[static_cast<std::size_t>(i)]; }
  Value overwritten(int i) const { return draft_.overwrites[static_cast<std::size_t>(i)]; }
  /// Where the operand lies that sum i may overwrite.
  Home home_of_operand(int i) const {
    const Value operand = overwritten(i);
    if (!operand || lie_together(draft_.base(i)) ||
        (operand.count < draft_.base(operand).count && lies_in_value(operand)))
      return {};
    const Home& home = home_of(operand.base);
    return {home.group, home.at + operand.first};
  }

  Draft& draft_;
  const Record& record_;
  List<std::int64_t>& firsts_;  // of the result's cells
  List<Time>& ends_;
};

}  // namespace

void find_places(Draft& draft) { Forward(draft).run(); }

}  // namespace mpigraft::schedule
