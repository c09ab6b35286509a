// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <utility>

#include "algorithms/schedule/draft.hpp"

namespace mpigraft::schedule {
namespace {

using Verb = Record::Verb;

/// Goes through the record from its end, so that whoever needs a base is seen before the base is made.
class Backward {
 public:
  explicit Backward(Draft& draft) : draft_(draft), record_(*draft.record) {}

  void run() {
    for (const Record::Result& result : record_.results) need(result.value, forever);
    sends_.fill(forever);
    for (std::size_t i = record_.ops.size(); i-- > 0;) visit(i);
    begin_arrivals();
    std::ranges::sort(draft_.part_uses, {}, [](const PartUse& use) { return std::pair(use.base, use.first); });
  }

 private:
  void need(Value v, Time time) {
    Life& life = draft_.life(v.base);
    life.needed = true;
    life.end = std::max(life.end, time);
    if (v.count == draft_.base(v).count) {
      life.whole_end = std::max(life.whole_end, time);
    } else {
      life.longest_part = std::max(life.longest_part, v.count);
      draft_.part_uses.push_back({v.base, v.first, v.count, time});
    }
  }

  void visit(std::size_t i) {
    const Record::Op& op = record_.ops[i];
    const Value v = op.value;
    if (op.verb == Verb::send) {
      need(v, work_of(i));
      Life& life = draft_.life(v.base);
      if (op.overlap != Overlap::none || draft_.ports > 1) life.under_way = std::max(life.under_way, sends_[port_]);
      remember(start_of(i));
    } else if (op.verb == Verb::recv) {
      need(v, work_of(i));  // even if nobody needs it, because it is sent
    } else if (op.verb == Verb::publish || op.verb == Verb::read) {
      if (op.verb == Verb::read) draft_.life(v.base).begin = work_of(i);
      need(v, work_of(i));
    } else if (op.verb != Verb::round && draft_.life(v.base).needed) {
      if (op.verb == Verb::combine) sum(draft_.base(v), draft_.life(v.base), i);
      if (op.verb == Verb::join) join(draft_.base(v), draft_.life(v.base), i);
    }
  }

  void sum(const Record::Base& base, Life& life, std::size_t i) {
    life.begin = work_of(i);
    need(base.lower, work_of(i));
    need(base.upper, work_of(i));
  }
  /// The values may lie in the memory of the join, so they do not end before it.
  void join(const Record::Base& base, Life& life, std::size_t i) {
    life.begin = work_of(i);
    for (const Value& value : record_.values_of(base)) need(value, life.end);
  }

  void remember(Time send) {
    std::copy_backward(sends_.begin(), sends_.end() - 1, sends_.end());
    sends_[0] = send;
  }

  /// An arrival is announced together with a send before it. If it overlaps, it is announced when the arrival before it
  /// has come, or else before all that overlaps.
  void begin_arrivals() {
    Time before = 0;  // an arrival that overlaps can be announced since then
    draft_.last_recv.clear();
    for (std::size_t i = 0, last = record_.ops.size(); i < record_.ops.size(); ++i) {
      const Record::Op& op = record_.ops[i];
      draft_.last_recv.push_back(last < i ? last : i);
      if (op.verb == Verb::recv || op.verb == Verb::read) last = i;
      const bool ahead = op.overlap == Overlap::all;
      if (!ahead) before = start_of(i + 1);
      if (op.verb != Verb::recv) continue;
      const bool with_send = i > 0 && record_.ops[i - 1].verb == Verb::send;
      draft_.life(op.value.base).begin = ahead ? before : start_of(with_send ? i - 1 : i);
      if (ahead) before = start_of(i);
    }
  }

  Draft& draft_;
  const Record& record_;
  const std::size_t port_ = static_cast<std::size_t>(draft_.ports - 1);
  std::array<Time, max_ports> sends_{};  // the next ones, nearest first
};

}  // namespace

std::size_t Draft::next_recv(std::size_t i) const {
  while (i < record->ops.size() && record->ops[i].verb != Verb::recv) ++i;
  return i;
}

bool Draft::ends(Value v, Time time) const {
  const Life& of_base = life(v.base);
  if (v.count == base(v).count) return of_base.end == time;
  if (of_base.whole_end >= time) return false;
  const auto from = std::ranges::lower_bound(part_uses, std::pair(v.base, v.first - of_base.longest_part + 1), {},
                                             [](const PartUse& use) { return std::pair(use.base, use.first); });
  Time last = -1;
  for (auto use = from; use != part_uses.end() && use->base == v.base && use->first < v.first + v.count; ++use)
    if (use->first + use->count > v.first) last = std::max(last, use->time);
  return last == time;
}

void find_lifetimes(Draft& draft) {
  draft.part_uses.clear();
  draft.lives.assign(draft.record->bases.size(), {});
  Backward(draft).run();
}

}  // namespace mpigraft::schedule
