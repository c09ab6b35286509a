// SPDX-License-Identifier: MIT
#include <algorithm>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "test/algorithms/schedule/oracle.hpp"

namespace mpigraft::proof {

using schedule::Draft;
using schedule::Home;
using schedule::Time;
using Origin = Record::Origin;
using Verb = Record::Verb;

namespace {

/// An element of a base. A join's elements are those of its values.
struct Element {
  int base;
  std::int64_t i;
  friend auto operator<=>(const Element&, const Element&) = default;
};

/// The last time at which each element of each base is needed, and the op that makes each base.
class Needs {
 public:
  explicit Needs(const Record& record) : record_(record), makers_(record.bases.size(), record.ops.size()) {
    for (const Record::Base& base : record.bases) last_.emplace_back(static_cast<std::size_t>(base.count), -1);
    for (const Record::Result& result : record.results) need(result.value, schedule::forever);
    for (std::size_t op = record.ops.size(); op-- > 0;) visit(op);
  }

  Time last(int base, std::int64_t i) const {
    return last_[static_cast<std::size_t>(base)][static_cast<std::size_t>(i)];
  }
  /// REQUIRES: needed(base).
  Time last(int base) const { return std::ranges::max(last_[static_cast<std::size_t>(base)]); }
  bool needed(int base) const {
    const auto& all = last_[static_cast<std::size_t>(base)];
    return std::ranges::any_of(all, [](Time last) { return last >= 0; });
  }
  std::size_t maker(int base) const { return makers_[static_cast<std::size_t>(base)]; }
  /// What an element holds: itself, or the element of a value of the join.
  Element content(Element element) const {
    const Record::Base& base = record_.bases[static_cast<std::size_t>(element.base)];
    if (base.origin == Origin::input) return {-1, base.first + element.i};
    std::int64_t i = element.i;
    for (const Value& value : record_.values_of(base)) {
      if (i < value.count) return content({value.base, value.first + i});
      i -= value.count;
    }
    return element;
  }
  /// True if base `sum` is a sum, and `element` the operand's element in its element i.
  bool is_operand(Element element, int sum, std::int64_t i) const {
    const Record::Base& base = record_.bases[static_cast<std::size_t>(sum)];
    if (base.origin != Origin::sum) return false;
    const auto is = [&](Value v) { return content({v.base, v.first + i}) == content(element); };
    return is(base.lower) || is(base.upper);
  }

 private:
  void need(Value v, Time time) {
    for (std::int64_t i = v.first; i < v.first + v.count; ++i) {
      Time& last = last_[static_cast<std::size_t>(v.base)][static_cast<std::size_t>(i)];
      last = std::max(last, time);
    }
  }
  void visit(std::size_t op) {
    const Record::Op& what = record_.ops[op];
    if (what.verb == Verb::round) return;
    const Time now = schedule::work_of(op);
    if (what.verb == Verb::send || what.verb == Verb::publish) return need(what.value, now);
    makers_[static_cast<std::size_t>(what.value.base)] = op;
    const Record::Base& base = record_.bases[static_cast<std::size_t>(what.value.base)];
    if (what.verb == Verb::combine && needed(what.value.base)) need(base.lower, now), need(base.upper, now);
    if (what.verb == Verb::join && needed(what.value.base))
      for (const Value& value : record_.values_of(base)) need(value, now);
  }

  const Record& record_;
  std::vector<std::vector<Time>> last_;
  std::vector<std::size_t> makers_;
};

/// Who holds an address, and when.
struct Stay {
  Element element;
  Time begin, end;
};

/// Stays by space and address. Two of different content at one address must be apart, but for an operand that a sum
/// overwrites where it lies.
class Plan {
 public:
  explicit Plan(const Needs& needs) : needs_(needs) {}

  void add(int space, std::int64_t at, const Stay& stay) { stays_[{space, at}].push_back(stay); }
  std::string broken() const {
    for (const auto& [place, stays] : stays_)
      for (std::size_t x = 0; x < stays.size(); ++x)
        for (std::size_t y = x + 1; y < stays.size(); ++y)
          if (!are_apart(stays[x], stays[y]) && !are_apart(stays[y], stays[x]))
            return "bases " + std::to_string(stays[x].element.base) + " and " + std::to_string(stays[y].element.base) +
                   " are in one place at one time";
    return "";
  }

 private:
  bool are_apart(const Stay& first, const Stay& second) const {
    if (needs_.content(first.element) == needs_.content(second.element)) return true;
    if (first.end < second.begin) return true;
    return first.end == second.begin && needs_.is_operand(first.element, second.element.base, second.element.i);
  }

  const Needs& needs_;
  std::map<std::pair<int, std::int64_t>, std::vector<Stay>> stays_;
};

/// Looks for two in one place where the bases lie at `homes`. place_of(home) tells space and address, or a negative
/// space: none. If these are the draft's homes, what comes into being elsewhere and aliased inputs take memory, too.
std::string broken(const Draft& draft, const List<Home>& homes,
                   const std::function<std::pair<int, std::int64_t>(const Home&)>& place_of) {
  const Needs needs(*draft.record);
  Plan plan(needs);
  const bool are_final = &homes == &draft.homes;
  for (std::size_t b = 0; b < homes.size(); ++b) {
    const int base = static_cast<int>(b);
    if (!needs.needed(base)) continue;
    const auto add = [&](std::pair<int, std::int64_t> place, Time begin, Time most) {
      for (std::int64_t i = 0; place.first >= 0 && i < draft.base(base).count; ++i)
        if (const Time end = std::min(needs.last(base, i), most); end >= 0)
          plan.add(place.first, place.second + i, {{base, i}, begin, std::max(begin, end)});
    };
    const bool has_birth = are_final && b < draft.births.size() && draft.births[b].group != Home::nowhere;
    const Time made = schedule::work_of(needs.maker(base)), begin = draft.life(base).begin;
    if (has_birth) add(place_of(draft.births[b]), begin, made);
    add(place_of(homes[b]), has_birth ? made + 1 : begin, schedule::forever);
    if (are_final && draft.aliased && draft.is({base}, Origin::input))
      add({0, draft.place_of(draft.base(base))}, 0, schedule::forever);
  }
  return plan.broken();
}

}  // namespace

std::string broken_lifetimes(const Draft& draft) {
  const Needs needs(*draft.record);
  for (int base = 0; base < static_cast<int>(draft.record->bases.size()); ++base) {
    const std::string name = "base " + std::to_string(base);
    const schedule::Life& life = draft.life(base);
    const bool is_made = needs.maker(base) < draft.record->ops.size();
    if (needs.needed(base) && !life.needed) return name + " is needed";
    if (needs.needed(base) && life.end < needs.last(base)) return name + " is needed later than its end";
    if (needs.needed(base) && is_made && life.begin > schedule::work_of(needs.maker(base)))
      return name + " is there before its begin";
  }
  return "";
}

std::string broken_wishes(const Draft& draft) {
  return broken(draft, draft.wishes, [](const Home& home) { return std::pair(home.group, home.at); });
}

std::string broken_places(const Draft& draft) {
  return broken(draft, draft.homes, [](const Home& home) { return std::pair(home.group + 1, home.at); });
}

std::string broken_layout(const Draft& draft) {
  for (const schedule::ScratchGroup& group : draft.groups)
    if (group.count > 0 && group.at / draft.scratch.row != (group.at + group.count - 1) / draft.scratch.row)
      return "a group crosses a border between rows";
  return broken(draft, draft.homes, [&](const Home& home) {
    if (home.group < 0) return std::pair(home.group + 1, home.at);
    return std::pair(1, draft.groups[static_cast<std::size_t>(home.group)].at + home.at);
  });
}

}  // namespace mpigraft::proof
