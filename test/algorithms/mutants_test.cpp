// SPDX-License-Identifier: MIT
#include "test/algorithms/mutants.hpp"

#include <catch2/catch.hpp>
#include <utility>

#include "test/algorithms/cases.hpp"
#include "test/algorithms/costs/cost.hpp"
#include "test/algorithms/doubling_mutants.hpp"

using namespace mpigraft;
using namespace mpigraft::mutants;
using model::Fault;
using proof::large;

namespace {

/// What an algorithm states, and what a rank does in place of its text, if that is told.
struct Mutant {
  AlgorithmInfo info;
  Run run = {};

  model::Recording record(int p, std::int64_t m, const Params& params = {}, bool in_place = false) const {
    if (!run) return model::record(info, p, m, params, in_place);
    const auto of_rank = [this](Net& net, const Operands& operands, const Params& own) {
      Rank rank{net, operands, own};
      run(rank);
    };
    return model::record_run(info, of_rank, p, m, params, in_place);
  }
};

Mutant scan_by(void (Round::*round)()) { return {named("scan/hillis_steele"), doubling(round)}; }
Mutant commuting(Mutant mutant) {
  mutant.info.commutative = true;
  return mutant;
}
/// Cuts where it does not say so.
Mutant cutting(Cuts stated, Mutant mutant) {
  mutant.info.cuts = stated;
  return mutant;
}
Mutant chain(Run run) {
  return {{.collective = Collective::scan, .paper = "", .summary = "a chain", .rounds = "p-1"}, std::move(run)};
}

void dies_of(Fault expected, const Mutant& mutant, int p = 8, std::int64_t m = 2, const Params& params = {},
             bool in_place = false) {
  const model::Verdict verdict = proof::check(mutant.record(p, m, params, in_place), mutant.info);
  INFO(verdict.text);
  CHECK(verdict.fault == expected);
}

}  // namespace

TEST_CASE("what the mutants start from is accepted") { dies_of(Fault::none, scan_by(&Round::exchange)); }

TEST_CASE("wrong values are found") {
  dies_of(Fault::operands, scan_by(&Round::swapped_operands));
  dies_of(Fault::operands, scan_by(&Round::distance_off_by_one));
  dies_of(Fault::result, scan_by(&Round::last_round_missing));
  dies_of(Fault::operands, scan_by(&Round::elements_shifted));
  dies_of(Fault::undefined, {named("scan/hillis_steele"), doubling(&Round::exchange, false)});
  dies_of(Fault::undefined, {named("exscan/doubling_1"), &Rank::sends_result_of_rank_0});
  dies_of(Fault::undefined, {named("bcast/binomial"), with_params("bcast/binomial", {.root = 0})}, 8, 2, {.root = 3});
}

TEST_CASE("commutative algorithms may swap operands but not count them twice") {
  dies_of(Fault::none, commuting(scan_by(&Round::swapped_operands)));
  dies_of(Fault::result, commuting(scan_by(&Round::counts_twice)));
}

TEST_CASE("wrong communication is found") {
  dies_of(Fault::deadlock, scan_by(&Round::receiver_off_by_one));
  dies_of(Fault::deadlock, scan_by(&Round::butterfly_sends_first));
  dies_of(Fault::ports, {named("bcast/binomial"), &Rank::two_sends_at_once}, 3);
  dies_of(Fault::ports, {named("reduce/binomial"), &Rank::two_receives_at_once}, 3);
  dies_of(Fault::ports, {named("exscan/k_ported"), with_params("exscan/k_ported", {.ports = 3})}, 4);
  dies_of(Fault::unfinished, scan_by(&Round::never_waits), 3);
  dies_of(Fault::request, scan_by(&Round::waits_twice));
  dies_of(Fault::length, scan_by(&Round::length_mismatch));
  dies_of(Fault::bounds, scan_by(&Round::past_the_end));
}

TEST_CASE("a rank that leaves before all have come is found") {
  dies_of(Fault::result, {named("barrier/dissemination"), &Rank::forgets_the_last});
  dies_of(Fault::result, {named("barrier/dissemination"), &Rank::repeats_a_round});
  dies_of(Fault::result, {named("barrier/dissemination"), &Rank::repeats_a_round}, 7);
}

TEST_CASE("a variant that does not run is found") {
  const Mutant without_barrier{named("scan/hillis_steele"), with_params("scan/hillis_steele", {})};
  dies_of(Fault::none, without_barrier);
  dies_of(Fault::rounds, without_barrier, 8, 2, {.barrier = true});
}

TEST_CASE("wrong use of pages is found") {
  dies_of(Fault::none, {named("bcast/shared_flat"), broadcasts_halves({0, 1}, {0, 1})});
  dies_of(Fault::step, {named("bcast/shared_flat"), broadcasts_halves({1, 0}, {0, 1})});
  dies_of(Fault::step, {named("bcast/shared_flat"), broadcasts_halves({1, 1}, {0, 1})});
  dies_of(Fault::step, {named("bcast/shared_flat"), broadcasts_halves({0, 1}, {1, 0})});
  dies_of(Fault::step, {named("bcast/shared_flat"), broadcasts_halves({-1, 0}, {0, 1})});
  dies_of(Fault::deadlock, {named("bcast/shared_flat"), broadcasts_halves({0, 1}, {1, 2})});
  dies_of(Fault::none, {named("bcast/shared_flat"), &Rank::publishes_all_at_once}, 8, 1024);
  dies_of(Fault::page, {named("bcast/shared_flat"), &Rank::publishes_all_at_once}, 8, 1025);
  dies_of(Fault::none, {named("bcast/shared_flat"), &Rank::publishes_all_at_once}, 8, 1, {.element_bytes = large});
  dies_of(Fault::page, {named("bcast/shared_flat"), &Rank::publishes_all_at_once}, 8, 2, {.element_bytes = large});
  dies_of(Fault::none, {named("bcast/shared_flat"), reads_from(0)}, 8, 4);
  dies_of(Fault::result, {named("bcast/shared_flat"), reads_from(1)}, 8, 4);
  dies_of(Fault::page, {named("bcast/shared_flat"), reads_from(2)}, 8, 4);
  dies_of(Fault::page, {named("bcast/shared_flat"), reads_from(-1)}, 8, 4);
  dies_of(Fault::page, {named("bcast/shared_flat"), reads_from(std::int64_t{1} << 32)}, 8, 4);
  dies_of(Fault::bounds, {named("bcast/shared_flat"), &Rank::reads_own_page});
  dies_of(Fault::undefined, {named("exscan/shared_flat"), &Rank::publishes_result_of_rank_0});
  dies_of(Fault::forbidden, {named("reduce/shared_flat"), &Rank::reads_into_input});
  dies_of(Fault::page, {named("bcast/shared_flat"), &Rank::says_that_it_publishes});
  dies_of(Fault::none, chain(chain_of_pages(false)));
  dies_of(Fault::result, chain(chain_of_pages(true)));
}

TEST_CASE("wrong use of buffers is found") {
  dies_of(Fault::pending, scan_by(&Round::combines_too_early));
  dies_of(Fault::pending, scan_by(&Round::overwrites_what_it_sends));
  dies_of(Fault::pending, scan_by(&Round::receives_into_what_it_sends));
  dies_of(Fault::overlap, scan_by(&Round::combines_into_lower));
  dies_of(Fault::forbidden, {named("scan/hillis_steele"), &Rank::writes_input});
  dies_of(Fault::forbidden, {named("reduce_scatter/pairwise"), &Rank::writes_input_behind_result}, 2, 2, {}, true);
  dies_of(Fault::forbidden, {named("exscan/round_optimal"), &Rank::writes_result_of_rank_0});
  dies_of(Fault::forbidden, {named("reduce/binomial"), &Rank::writes_result_off_root});
  dies_of(Fault::forbidden, {named("reduce/binomial"), with_params("reduce/binomial", {.root = 0})}, 8, 2, {.root = 3});
  dies_of(Fault::none, chain(&Rank::reads_input_late));
  dies_of(Fault::operands, chain(&Rank::reads_input_late), 8, 2, {}, true);
}

TEST_CASE("figures that are not exact are found") {
  dies_of(Fault::rounds, scan_by(&Round::sends_then_receives));
  dies_of(Fault::applications, scan_by(&Round::combines_once_more));
  const model::Recording recording = scan_by(&Round::exchange).record(8, 2);
  const auto misstated = [&](auto figure) {
    Cost stated = *proof::stated_cost(scan_by(&Round::exchange).info, 8, 2, {});
    stated.*figure += 1;
    return model::check(recording, scan_by(&Round::exchange).info, stated).fault;
  };
  CHECK(misstated(&Cost::rounds) == Fault::rounds);
  CHECK(misstated(&Cost::applications) == Fault::applications);
  CHECK(misstated(&Cost::applications_last) == Fault::applications_last);
  CHECK(misstated(&Cost::sent) == Fault::sent);
  CHECK(misstated(&Cost::received) == Fault::received);
  dies_of(Fault::scratch, chain(&Rank::scratch_too_large));
}

TEST_CASE("an algorithm that cuts more than it says is found") {
  constexpr std::int64_t page = page_bytes / 8;
  dies_of(Fault::cut, scan_by(&Round::combines_halves));
  dies_of(Fault::cut, scan_by(&Round::combines_halves), 3, 1);  // one of no elements
  dies_of(Fault::none, cutting(Cuts::always, scan_by(&Round::combines_halves)));
  dies_of(Fault::cut, cutting(Cuts::never, {named("scan/linear_pipeline")}), 4, 3, {.segment = 16});
  dies_of(Fault::none, cutting(Cuts::never, {named("scan/linear_pipeline")}), 4, 3, {.segment = 24});
  dies_of(Fault::none, cutting(Cuts::blocks, {named("scan/two_tree")}), 4, 3, {.segment = 16});
  dies_of(Fault::cut, cutting(Cuts::blocks, {named("scan/two_tree")}), 4, 3, {.segment = 24});
  dies_of(Fault::none, cutting(Cuts::never, {named("scan/shared_flat")}), 4, page);
  dies_of(Fault::cut, cutting(Cuts::never, {named("scan/shared_flat")}), 4, page + 1);
  dies_of(Fault::cut, cutting(Cuts::pages, {named("scan/shared_slices")}), 4, page);
  CHECK(proof::check(scan_by(&Round::combines_halves).record(2, 2), scan_by(&Round::combines_halves).info).text ==
        "rank 1, event 3, combine scratch[0..1) with result[0..1) into result[0..1): not all elements");
}

TEST_CASE("a page that is not marked is found") {
  const model::Recording recording = chain(chain_of_pages(false)).record(4, 1);
  CHECK(model::check_poison(recording, 1, 0).fault == Fault::none);
  CHECK(model::check_poison(recording, 1, 0, keep_to_oneself).text ==
        "rank 3 does not learn that rank 1 failed before event 0, but its result depends on it");
}

TEST_CASE("an error that is not passed on is found") {
  const model::Recording recording = scan_by(&Round::exchange).record(4, 1);
  CHECK(model::check_poison(recording, 0, 0).fault == Fault::none);
  const model::Verdict verdict = model::check_poison(recording, 0, 0, keep_to_oneself);
  CHECK(verdict.fault == Fault::poison);
  CHECK(verdict.text == "rank 3 does not learn that rank 0 failed before event 0, but its result depends on it");
  CHECK(model::check_poison(recording).fault == Fault::none);
  CHECK(model::check_poison(recording, keep_to_oneself).text == verdict.text);
}

// There are more failures than are followed at once, and batches end in the middle of a rank's events.
TEST_CASE("all failures at once are found as one by one") {
  const model::Recording recording = scan_by(&Round::exchange).record(37, 1);
  REQUIRE(recording.events.size() > 256);
  const auto late = [](model::Failures failed, model::Failures told) { return told & ~failed; };
  for (const model::PoisonRule rule : {model::PoisonRule{keep_to_oneself}, model::PoisonRule{late}}) {
    std::string first;
    for (int r = 0; r < recording.p && first.empty(); ++r)
      for (int event = 0; event < recording.event_count(r) && first.empty(); ++event)
        first = model::check_poison(recording, r, event, rule).text;
    CHECK(model::check_poison(recording, rule).text == first);
  }
}

TEST_CASE("a pipeline that does not overlap is found") {
  dies_of(Fault::none, {named("scan/linear_pipeline"), &Rank::asks_late}, 8, 4, {.segment = 8});
  const auto verdict = [](const model::Recording& recording) { return model::check_ahead(recording).fault; };
  CHECK(verdict(Mutant{named("scan/linear_pipeline"), &Rank::asks_late}.record(8, 4, {.segment = 8})) == Fault::late);
  CHECK(verdict(model::record(named("scan/linear_pipeline"), 8, 4, {.segment = 8})) == Fault::none);
}
