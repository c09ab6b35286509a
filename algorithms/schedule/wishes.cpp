// SPDX-License-Identifier: MIT
#include <algorithm>

#include "algorithms/schedule/draft.hpp"

namespace mpigraft::schedule {
namespace {

using Origin = Record::Origin;
using Verb = Record::Verb;

/// Goes through the record from its end, so that a sum's wish is known before those of its operands.
class Backward {
 public:
  explicit Backward(Draft& draft) : draft_(draft), record_(*draft.record) {}

  void run() {
    for (const Record::Result& result : record_.results) wish(result.value, {Home::result, result.first});
    for (std::size_t i = record_.ops.size(); i-- > 0;) visit(i);
  }

 private:
  void visit(std::size_t i) {
    const Record::Op& op = record_.ops[i];
    if (op.verb == Verb::round) return;
    const int base = op.value.base;
    if (op.verb == Verb::recv) next_announced_ = draft_.life(base).begin;
    if (!draft_.life(base).needed) return;
    if (op.verb == Verb::join) {
      if (wish_of(base).group == Home::nowhere) wish_of(base) = wish_of_values(base);
      const Home& home = wish_or_group(base);
      if (home.group >= 0) draft_.groups[static_cast<std::size_t>(home.group)].of_join = true;
      std::int64_t at = home.at;
      for (const Value& value : record_.values_of(draft_.base(base))) {
        wish(value, {home.group, at});
        at += value.count;
      }
    }
    if (op.verb != Verb::combine) return;
    const Value operand = overwritten(draft_.base(base), i);
    if (!operand || wish_of(operand.base).group != Home::nowhere) return;
    if (operand.count == draft_.base(operand).count) wish_of(operand.base) = wish_or_group(base);
    draft_.overwrites[static_cast<std::size_t>(base)] = operand;
  }

  /// The operand in whose memory the sum of op `i` would lie best. It ends there, and is the upper one, because an
  /// operator leaves its result there. An upper one that is still arriving is joined to the lower one while it comes.
  Value overwritten(const Record::Base& sum, std::size_t i) const {
    const auto free = [&](Value v) { return ends_with_memory(v, work_of(i)); };
    if (sum.lower.base == sum.upper.base) return nothing;
    if (comes_at(sum.upper, i)) return free(sum.lower) ? sum.lower : nothing;
    return free(sum.upper) ? sum.upper : nothing;
  }
  /// True if nobody needs the memory of v after `time`. A whole join may lie in its values.
  bool ends_with_memory(Value v, Time time) const {
    const bool is_whole_join = draft_.is(v, Origin::join) && v.count == draft_.base(v).count;
    return !draft_.is(v, Origin::input) && !is_whole_join && draft_.ends(v, time);
  }
  /// True if v may still be arriving when op `i` needs it, for the first and last time.
  bool comes_at(Value v, std::size_t i) const {
    if (v.count == 0 || !draft_.is(v, Origin::arrival) || v.count != draft_.base(v).count ||
        !draft_.ends(v, work_of(i)))
      return false;
    const std::size_t last = draft_.last_recv[i];
    const Record::Op& recv = record_.ops[last];
    if (last == i || recv.value.base != v.base) return false;
    if (recv.verb == Verb::read) return last + 1 == i;
    if (recv.overlap == Overlap::all || next_announced_ <= start_of(i)) return false;
    for (std::size_t j = last + 1; j < i; ++j)
      if (record_.ops[j].verb == Verb::round || needs(record_.ops[j], v.base)) return false;
    return true;
  }

  bool needs(const Record::Op& op, int base) const {
    if (op.verb == Verb::send || op.verb == Verb::publish) return op.value.base == base;
    const Record::Base& made = draft_.base(op.value);
    return made.lower.base == base || made.upper.base == base ||
           std::ranges::any_of(record_.values_of(made), [=](Value each) { return each.base == base; });
  }

  /// The place in the result where the values of a join lie one behind the other, if they get their wishes.
  Home wish_of_values(int join) const {
    const auto wish_of_start = [&](Value v) {
      const Home& home = draft_.wishes[static_cast<std::size_t>(v.base)];
      return Home{home.group, home.at + v.first};
    };
    const Home first = wish_of_start(record_.values_of(draft_.base(join))[0]);
    const bool in_row = draft_.for_all_values(join, first.at, [&](Value v, std::int64_t at) {
      return wish_of_start(v) == Home{Home::result, at};
    });
    return in_row ? first : Home{};
  }

  /// A part would bring along all of its base.
  void wish(Value v, Home home) {
    if (wish_of(v.base).group == Home::nowhere && v.count == draft_.base(v).count) wish_of(v.base) = home;
  }
  Home& wish_or_group(int base) {
    if (wish_of(base).group == Home::nowhere) {
      wish_of(base).group = static_cast<int>(draft_.groups.size());
      draft_.groups.emplace_back();
    }
    return wish_of(base);
  }
  Home& wish_of(int base) { return draft_.wishes[static_cast<std::size_t>(base)]; }

  Draft& draft_;
  const Record& record_;
  Time next_announced_ = forever;  // when the next receive of the record begins
};

}  // namespace

void wish_places(Draft& draft) {
  draft.wishes.assign(draft.record->bases.size(), {});
  draft.overwrites.assign(draft.record->bases.size(), nothing);
  draft.groups.clear();
  Backward(draft).run();
}

}  // namespace mpigraft::schedule
