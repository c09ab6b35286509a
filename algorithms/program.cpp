// SPDX-License-Identifier: MIT
#include "algorithms/program.hpp"

#include <algorithm>
#include <utility>

namespace mpigraft {

using Verb = Record::Verb;

Value Group::add(const Record::Base& base) const {
  record_->bases.push_back(base);
  return {static_cast<int>(record_->bases.size()) - 1, 0, base.count};
}

void Group::message(Verb verb, std::int64_t peer, Value v) const {
  record_->ops.push_back({.verb = verb, .overlap = record_->overlap, .peer = outer(peer), .value = v});
}

void Group::send(Value v, std::int64_t to) const {
  if (v && has(to) && (v.count > 0 || record_->without_elements)) message(Verb::send, to, v);
}

Value Group::recv(std::int64_t from, std::int64_t count) const {
  if (!has(from)) return nothing;
  if (count == 0 && !record_->without_elements) return token();
  const Value v = add({.origin = Record::Origin::arrival, .count = count});
  message(Verb::recv, from, v);
  return v;
}

void Group::signal(std::int64_t to) const { message(Verb::send, to, token()); }

void Group::await(std::int64_t from) const { message(Verb::recv, from, add({.origin = Record::Origin::arrival})); }

void Group::publish(Value v, std::int64_t page) const {
  record_->ops.push_back({.verb = Verb::publish, .overlap = record_->overlap, .value = v, .page = page});
}

Value Group::read(int owner, std::int64_t page, std::int64_t count, std::int64_t first) const {
  const Value v = add({.origin = Record::Origin::arrival, .count = count});
  record_->ops.push_back({Verb::read, record_->overlap, outer(owner), v, page, first});
  return v;
}

Value Group::combine(Value lower, Value upper) const {
  if (!lower) return upper;
  if (!upper || lower.count == 0) return lower;
  if (const Value v = same_sum(lower, upper)) return v;
  const Value v = add({.origin = Record::Origin::sum, .count = upper.count, .lower = lower, .upper = upper});
  int& last_above = record_->bases[static_cast<std::size_t>(lower.base)].last_above;
  record_->bases.back().before = std::exchange(last_above, v.base);
  record_->ops.push_back({.verb = Verb::combine, .overlap = record_->overlap, .value = v});
  return v;
}

/// The same sum among the last few of the lower operand's base, or `nothing`.
Value Group::same_sum(Value lower, Value upper) const {
  const auto base = [this](int i) -> const Record::Base& { return record_->bases[static_cast<std::size_t>(i)]; };
  int sum = base(lower.base).last_above;
  for (int looked = 0; sum != none && looked < 4; ++looked, sum = base(sum).before)
    if (base(sum).lower == lower && base(sum).upper == upper) return {sum, 0, base(sum).count};
  return nothing;
}

Value Group::join(std::span<const Value> values) const {
  Record::Base base{.origin = Record::Origin::join, .first = static_cast<std::int64_t>(record_->joined.size())};
  for (const Value& value : values) {
    if (value.count == 0) continue;
    record_->joined.push_back(value);
    base.count += value.count;
    ++base.values;
  }
  if (base.values == 1) return record_->joined.back();
  if (base.values == 0) return values.empty() ? nothing : values[0];
  const Value v = add(base);
  record_->ops.push_back({.verb = Verb::join, .overlap = record_->overlap, .value = v});
  return v;
}

Value Group::part_of(std::span<const Value> values, std::int64_t first, std::int64_t count) const {
  List<Value> parts;
  for (const Value& value : values) {
    const std::int64_t from = std::clamp<std::int64_t>(first, 0, value.count);
    const std::int64_t end = std::clamp<std::int64_t>(first + count, from, value.count);
    parts.push_back(part(value, from, end - from));
    first -= value.count;
  }
  return join(parts);
}

void Group::begin_round() const {
  if (record_->overlap != Overlap::all) record_->ops.push_back({.verb = Verb::round, .overlap = record_->overlap});
}

Group Group::among(int size, int rank, std::function<int(int)> rank_of) const {
  Group part(*record_, rank, size);
  if (rank_of_ || first_ > 0)
    part.rank_of_ = [all = *this, inner = std::move(rank_of)](int i) { return all.outer(inner(i)); };
  else
    part.rank_of_ = std::move(rank_of);
  return part;
}

Group Group::from(int root) const {
  Group same = *this;
  same.first_ = (first_ + root) % size_;
  same.rank_ = (rank_ - root + size_) % size_;
  return same;
}

Value Program::input(std::int64_t first, std::int64_t count) {
  record().bases.push_back({.origin = Record::Origin::input, .count = count, .first = first});
  return {static_cast<int>(record().bases.size()) - 1, 0, count};
}

Blocks Program::segments(std::int64_t b) {
  overlap(b > 1 ? Overlap::all : Overlap::none);
  return {length_, b};
}

void Program::result(Value v, std::int64_t first) {
  if (v) record().results.push_back({v, first, record().ops.size()});
}

}  // namespace mpigraft
