// SPDX-License-Identifier: MIT
#include "algorithms/model/check.hpp"

#include <algorithm>

#include "algorithms/info.hpp"
#include "algorithms/model/price.hpp"
#include "algorithms/model/replay.hpp"
#include "algorithms/model/symbolic.hpp"
#include "algorithms/model/values.hpp"

namespace mpigraft::model {
namespace {

/// The rounds of a run; throws the first Violation if it is not right.
template <class Value>
std::int64_t rounds_if_right(const Recording& recording, Symbolic<Value>& values) {
  const double rounds = Replay(recording, count_rounds, values).run();
  values.check_results();
  return static_cast<std::int64_t>(rounds);
}

/// The hashes of `associations`.
template <class Value>
std::vector<std::uint64_t> trees_if_right(const Recording& recording, std::int64_t& rounds) {
  Symbolic<Associated<Value>> values(recording);
  rounds = rounds_if_right(recording, values);
  std::vector<std::uint64_t> found;
  for (int r = 0; r < recording.p; ++r) {
    const Span result = recording.result(r);
    for (std::uint32_t i = 0; recording.has_result(r) && i < result.count; ++i)
      found.push_back(values.cell(r, result.at + i).value.tree);
  }
  return found;
}

/// Throws a Violation unless all ranks combine an element in the same tree.
void check_same_on_all_ranks(const Recording& recording, const std::vector<std::uint64_t>& found) {
  const auto m = static_cast<std::size_t>(recording.m);
  for (std::size_t i = m; i < found.size(); ++i)
    if (found[i] != found[i - m])
      throw Violation(Fault::association, "rank ", i / m, ", result[", i % m,
                      "]: combined in another order than at rank ", i / m - 1);
}

/// Beyond this number of ranks the proof that all have come would not be worth its time.
constexpr int most_ranks_that_arrive = 4096;

void check_equal(Fault fault, const char* what, std::int64_t stated, std::int64_t found) {
  if (stated != found) throw Violation(fault, what, ": stated ", stated, ", found ", found);
}

void check_cost(const Cost& stated, const Cost& found) {
  check_equal(Fault::rounds, "rounds", stated.rounds, found.rounds);
  check_equal(Fault::applications, "operator applications", stated.applications, found.applications);
  check_equal(Fault::applications_last, "operator applications at rank p-1", stated.applications_last,
              found.applications_last);
  check_equal(Fault::sent, "elements sent", stated.sent, found.sent);
  check_equal(Fault::received, "elements received", stated.received, found.received);
}

/// k messages that arrive at once need k buffers; apart from that two more vectors of scratch have to do. Exclusive
/// prefixes in place may take one more, because the input lies where the result goes, and is no part of it.
void check_scratch(const Recording& recording) {
  const int more = recording.in_place && recording.collective->sources == Sources::lower ? 3 : 2;
  const std::int64_t too_much = recording.most.scratch - (recording.ports + more) * recording.m;
  check_equal(Fault::scratch, "elements of scratch beyond what is allowed", 0, std::max<std::int64_t>(too_much, 0));
}

/// Throws a Violation if the algorithm has both pages and messages. Before a page's memory is used again, its owner
/// waits until all ranks have read it, and one of them might wait for a message meanwhile. The replay has memory
/// without end.
void check_pages_alone(const Recording& recording) {
  const auto has = [&](Step one, Step other) {
    return std::ranges::any_of(recording.events,
                               [=](const Event& event) { return event.step == one || event.step == other; });
  };
  if (has(Step::publish, Step::read) && has(Step::isend, Step::irecv))
    throw Violation(Fault::page, "there are messages beside pages: ranks could wait for one another without end");
}

/// Throws a Violation if the operator gets a part of a vector that `info` promises to leave whole.
void check_whole(const Recording& recording, const AlgorithmInfo& info) {
  const Params& params = recording.params;
  if (recording.shortest >= recording.m || !recording.collective->combines()) return;
  if (recording.m * params.element_bytes > whole_up_to(info, params.segment)) return;
  for (int r = 0; r < recording.p; ++r)
    for (int i = 0; i < recording.event_count(r); ++i) {
      const Event& event = recording.event(r, i);
      if (event.step == Step::combine && event.to.count < recording.m)
        throw Violation(Fault::cut, words(recording, r, i), ": not all elements");
    }
}

/// The first combination of this rank for which a receive is announced too late; `none` if there is no such.
int late_event(const Recording& recording, int rank) {
  bool comes = false, announced = false;  // a receive after this event, and before it
  int late = none;
  for (int i = recording.event_count(rank) - 1; i >= 0; --i) {
    const Event& event = recording.event(rank, i);
    if (event.step == Step::wait && recording.event(rank, event.peer).step == Step::irecv) announced = true;
    if (event.step == Step::irecv) announced = false, comes = true;
    if (event.step == Step::combine && comes && !announced) late = i;
  }
  return late;
}

/// Checks the run, and that ranks which get the same combination get it with the same association. Returns the rounds.
template <class Value>
std::int64_t check_run(const Recording& recording) {
  if (!recording.collective->gives_all_the_same()) {
    Symbolic<Value> values(recording);
    return rounds_if_right(recording, values);
  }
  std::int64_t rounds;
  check_same_on_all_ranks(recording, trees_if_right<Value>(recording, rounds));
  return rounds;
}

}  // namespace

Verdict check_ahead(const Recording& recording) {
  for (int r = 0; r < recording.p; ++r)
    if (const int late = late_event(recording, r); late != none)
      return {Fault::late, words(recording, r, late) + ": the next receive is announced only later"};
  return {};
}

std::vector<std::uint64_t> associations(const Recording& recording, bool commutative) {
  std::int64_t rounds;
  return commutative ? trees_if_right<Commutative>(recording, rounds) : trees_if_right<Ordered>(recording, rounds);
}

Verdict check_pairs(const Recording& recording) {
  return verdict_of([&] {
    Symbolic<PairOfSums> values(recording);
    rounds_if_right(recording, values);
  });
}

Verdict check(const Recording& recording, const AlgorithmInfo& info, std::optional<Cost> stated) {
  return verdict_of([&] {
    const std::int64_t rounds = info.commutative ? check_run<Commutative>(recording) : check_run<Ordered>(recording);
    check_pages_alone(recording);
    if (stated) check_cost(*stated, cost_of(recording, rounds));
    check_scratch(recording);
    check_whole(recording, info);
    if (!recording.collective->moves_data() && recording.p <= most_ranks_that_arrive) check_arrivals(recording);
  });
}

}  // namespace mpigraft::model
