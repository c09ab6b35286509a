// SPDX-License-Identifier: MIT
// One rank of a replay: how far it is, what is outstanding, and what it may touch meanwhile.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "algorithms/model/published.hpp"
#include "algorithms/model/slots.hpp"
#include "algorithms/model/violation.hpp"

namespace mpigraft::model {

struct Rank {
  int own;  // its number
  const Event* first;
  const Event* next;
  const Event* end;
  Slots sends, receives;
  double busy_until = 0;       // until then it combines or reads; in a Flow its clock
  int pages_step = 0;          // the step in which it published or read last
  bool has_published = false;  // in that step
  std::uint32_t first_writable;
  bool waits = false;  // or is done
  bool is_released = false;

  int index() const { return static_cast<int>(next - first); }

  /// True if it could combine, but waits for its posted sends to be over first.
  bool lets_send_go_first() const { return waits && next != end && next->step == Step::combine && sends.any_posted(); }

  void check_peer(int p) const {
    if (next->peer < 0 || next->peer >= p || next->peer == own) throw Violation(Fault::bounds, "no such peer");
  }
  /// Posts the next event, a send or receive, and gives its port.
  int post(const Slots& slots, int p) const {
    check_peer(p);
    return slots.post(next, first, busy_until);
  }
  /// The message that the wait waits for.
  Slot& awaited() const {
    const int request = next->peer;
    if (request < 0 || request >= index()) throw Violation(Fault::request, "no such request");
    const Event* posted = first + request;
    Slot* slot = (posted->step == Step::isend ? sends : receives).outstanding(posted);
    if (!slot) throw Violation(Fault::request, "it is not outstanding");
    return *slot;
  }

  void check_access(Span span) const {
    if (span == outside) throw Violation(Fault::bounds, "outside its buffer");
    if (receives.use(span, &Event::to))
      throw Violation(Fault::pending, "touches what an unfinished receive is to fill");
  }

  void check_write(Span span) const {
    check_access(span);
    if (span.at < first_writable && span.count > 0)
      throw Violation(Fault::forbidden, "writes what this rank must not write");
    if (sends.use(span, &Event::from)) throw Violation(Fault::pending, "writes what an unfinished send reads");
  }

  /// `out` may be `upper`, as in MPI_Reduce_local; otherwise it shares memory with neither operand.
  void check_operands(Span lower, Span upper, Span out) const {
    check_access(lower);
    check_access(upper);
    check_write(out);
    if (lower.count != out.count || upper.count != out.count)
      throw Violation(Fault::length, "blocks of different length");
    if (lower.overlaps(out) || (upper.overlaps(out) && upper != out)) throw Violation(Fault::overlap, "blocks overlap");
  }

  void check_publish(std::int64_t most) {
    check_access(next->from);
    enter_step(next->number);
    if (std::exchange(has_published, true)) throw Violation(Fault::step, "has published in it");
    if (next->from.count > most) throw Violation(Fault::page, "longer than a page");
  }
  /// The page that it reads, or nullptr if that is not published yet.
  const PublishedPage* check_read(int p, const Published& published) {
    check_peer(p);
    check_write(next->to);
    enter_step(next->number);
    const PublishedPage* page = published.find(next->peer, next->number);
    if (page && (next->from == outside || next->from.at + std::uint64_t{next->from.count} > page->count))
      throw Violation(Fault::page, "published are " + std::to_string(page->count) + " elements");
    return page;
  }
  /// REQUIRES: it waits, or is done.
  bool wants_page(int owner, int step) const {
    return next != end && next->step == Step::read && next->peer == owner && next->number == step;
  }
  bool wants_end_of(const Event* request) const {
    return next != end && next->step == Step::wait && first + next->peer == request;
  }

 private:
  /// Begins to publish or read in step `s`.
  void enter_step(int s) {
    if (s < pages_step) throw Violation(Fault::step, "after step " + std::to_string(pages_step));
    if (s > pages_step) has_published = false;
    pages_step = s;
  }
};

}  // namespace mpigraft::model
