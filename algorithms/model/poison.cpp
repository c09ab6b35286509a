// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <numeric>

#include "algorithms/model/check.hpp"
#include "algorithms/model/price.hpp"
#include "algorithms/model/replay.hpp"

namespace mpigraft::model {
namespace {

constexpr std::size_t most_failures = 64;

/// The Data policy that tracks two things which must agree in the end: the elements that depend on what the failed rank
/// no longer did (`tainted`), and the ranks that have received a marked message or page (`told`). It tracks many
/// failures at once: number `first`, the next one, and so on. `numbers[r]` is that of rank r's failure before its first
/// event; those before its later events follow, up to numbers[r + 1].
class Taint {
 public:
  Taint(const Recording& recording, const std::vector<std::size_t>& numbers, std::size_t first, std::size_t count,
        PoisonRule rule)
      : recording_(recording),
        numbers_(numbers),
        first_(first),
        end_(first + count),
        rule_(rule),
        told_(static_cast<std::size_t>(recording.p)),
        out_(static_cast<std::size_t>(recording.p * recording.ports)),
        in_(out_.size()),
        tainted_(recording.first_cell.back()) {}

  void send(int rank, int port, int event, Span) { out(rank, port) = message(rank, event); }
  void move(int sender, int out_port, Span from, int receiver, int in_port, Span to) {
    const Message& message = in(receiver, in_port) = out(sender, out_port);
    for (std::uint32_t i = 0; i < to.count; ++i) at(receiver, to.at + i) = message.empty | at(sender, from.at + i);
  }
  void received(int rank, int port, int event, Span to) {
    told(rank) |= in(rank, port).marked;
    const Failures failed = before(rank, event);
    for (std::uint32_t i = 0; i < to.count; ++i) at(rank, to.at + i) |= failed;
  }
  void publish(int rank, int event, Span from) {
    pages_.push_back(message(rank, event));
    for (std::uint32_t i = 0; i < from.count; ++i) published_.push_back(pages_.back().empty | at(rank, from.at + i));
  }
  void read(int rank, int event, std::size_t page, std::size_t first, Span to) {
    told(rank) |= pages_[page].marked;
    const Failures failed = before(rank, event);
    for (std::uint32_t i = 0; i < to.count; ++i) at(rank, to.at + i) = published_[first + i] | failed;
  }
  void copy(int rank, int event, Span from, Span to) { combine(rank, event, from, from, to); }
  void combine(int rank, int event, Span lower, Span upper, Span out) {
    const Failures failed = before(rank, event);
    for (std::uint32_t i = 0; i < out.count; ++i)
      at(rank, out.at + i) = at(rank, lower.at + i) | at(rank, upper.at + i) | failed;
  }

  void check_told() {
    for (int r = 0; r < recording_.p; ++r) {
      if (!recording_.has_result(r)) continue;
      const Failures told_or_failed = told(r) | before(r, recording_.event_count(r));
      const Span result = recording_.result(r);
      for (std::uint32_t i = 0; i < result.count; ++i)
        if (const Failures unknown = at(r, result.at + i) & ~told_or_failed) complain(r, unknown);
    }
  }
  /// The same where a result depends on all ranks.
  void check_all_told() {
    for (int r = 0; r < recording_.p; ++r)
      if (const Failures unknown = all() & ~(told(r) | before(r, 0)))
        throw Violation(Fault::result, "rank ", r, " leaves before rank ", failed_rank(number_of(unknown)),
                        " has come");
  }

 private:
  struct Message {
    Failures empty = 0, marked = 0;
  };

  /// The failures of this rank before `event` or an earlier one.
  Failures before(int rank, int event) const {
    const std::size_t own = numbers_[static_cast<std::size_t>(rank)];
    const std::size_t own_end = numbers_[static_cast<std::size_t>(rank) + 1];
    const std::size_t from = std::max(own, first_);
    const std::size_t to = std::min({own + static_cast<std::size_t>(event) + 1, own_end, end_});
    return from < to ? failures(to - from) << (from - first_) : 0;
  }
  static Failures failures(std::size_t count) { return ~Failures{0} >> (most_failures - count); }
  Failures all() const { return failures(end_ - first_); }
  std::size_t number_of(Failures unknown) const { return first_ + static_cast<std::size_t>(std::countr_zero(unknown)); }
  std::ptrdiff_t failed_rank(std::size_t number) const {
    return std::ranges::upper_bound(numbers_, number) - numbers_.begin() - 1;
  }

  Message message(int rank, int event) {
    const Failures failed = before(rank, event);
    return {failed, rule_(failed, told(rank))};
  }

  [[noreturn]] void complain(int rank, Failures unknown) const {
    const std::size_t number = number_of(unknown);
    const std::ptrdiff_t failed = failed_rank(number);
    throw Violation(Fault::poison, "rank ", rank, " does not learn that rank ", failed, " failed before event ",
                    number - numbers_[static_cast<std::size_t>(failed)], ", but its result depends on it");
  }

  /// The outstanding message at a port of a rank.
  Message& out(int rank, int port) { return out_[static_cast<std::size_t>(rank * recording_.ports + port)]; }
  Message& in(int rank, int port) { return in_[static_cast<std::size_t>(rank * recording_.ports + port)]; }
  Failures& told(int rank) { return told_[static_cast<std::size_t>(rank)]; }
  Failures& at(int rank, std::uint32_t address) {
    return tainted_[recording_.first_cell[static_cast<std::size_t>(rank)] + address];
  }

  const Recording& recording_;
  const std::vector<std::size_t>& numbers_;  // of the failures of each rank, and their end
  const std::size_t first_, end_;            // the failures that are tracked
  const PoisonRule rule_;
  std::vector<Failures> told_;  // ranks that have received a marked message, or read a marked page
  std::vector<Message> out_, in_, pages_;
  std::vector<Failures> tainted_, published_;
};

/// Follows failures first..end-1, as many at once as possible, and checks each time who is told.
void follow(const Recording& recording, const std::vector<std::size_t>& numbers, std::size_t first, std::size_t end,
            PoisonRule rule, void (Taint::*check)()) {
  for (; first < end; first += most_failures) {
    Taint taint(recording, numbers, first, std::min(most_failures, end - first), rule);
    Replay(recording, count_rounds, taint).run();
    (taint.*check)();
  }
}

}  // namespace

void check_arrivals(const Recording& recording) {
  std::vector<std::size_t> one_each(static_cast<std::size_t>(recording.p) + 1);
  std::iota(one_each.begin(), one_each.end(), std::size_t{0});
  follow(recording, one_each, 0, one_each.back(), pass_on, &Taint::check_all_told);
}

Verdict check_poison(const Recording& recording, int failing, int event, PoisonRule rule) {
  const std::size_t first = recording.first_event[static_cast<std::size_t>(failing)] + static_cast<std::size_t>(event);
  return verdict_of([&] { follow(recording, recording.first_event, first, first + 1, rule, &Taint::check_told); });
}

Verdict check_poison(const Recording& recording, PoisonRule rule) {
  const std::size_t end = recording.events.size();
  return verdict_of([&] { follow(recording, recording.first_event, 0, end, rule, &Taint::check_told); });
}

}  // namespace mpigraft::model
