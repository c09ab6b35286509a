// SPDX-License-Identifier: MIT
#include "test/algorithms/mutants.hpp"

#include <catch2/catch.hpp>

#include "algorithms/model/recording_transport.hpp"
#include "algorithms/prefix/linear_pipeline.hpp"
#include "algorithms/prefix/shared_flat.hpp"
#include "algorithms/prefix/shared_slices.hpp"
#include "algorithms/prefix/two_tree.hpp"
#include "test/algorithms/cases.hpp"
#include "test/algorithms/costs/cost.hpp"
#include "test/algorithms/page_mutants.hpp"

using namespace mpigraft;
using namespace mpigraft::mutants;
using model::Fault;
using proof::large;

namespace {

template <class Mutant>
void dies_of(Fault expected, int p = 8, std::int64_t m = 2, const Params& params = {}, bool in_place = false) {
  const model::Verdict verdict = proof::check(model::record<Mutant>(p, m, params, in_place), Mutant::info);
  INFO(verdict.text);
  CHECK(verdict.fault == expected);
}

}  // namespace

TEST_CASE("what the mutants start from is accepted") { dies_of<unharmed>(Fault::none); }

TEST_CASE("wrong values are found") {
  dies_of<swapped_operands>(Fault::operands);
  dies_of<distance_off_by_one>(Fault::operands);
  dies_of<last_round_missing>(Fault::result);
  dies_of<elements_shifted>(Fault::operands);
  dies_of<copy_forgotten>(Fault::undefined);
  dies_of<sends_result_of_rank_0>(Fault::undefined);
  dies_of<broadcasts_from_rank_0>(Fault::undefined, 8, 2, {.root = 3});
}

TEST_CASE("commutative algorithms may swap operands but not count them twice") {
  dies_of<swapped_commutative>(Fault::none);
  dies_of<counts_twice>(Fault::result);
}

TEST_CASE("wrong communication is found") {
  dies_of<receiver_off_by_one>(Fault::deadlock);
  dies_of<butterfly_sends_first>(Fault::deadlock);
  dies_of<two_sends_at_once>(Fault::ports, 3);
  dies_of<two_receives_at_once>(Fault::ports, 3);
  dies_of<three_messages_on_two_ports>(Fault::ports, 4);
  dies_of<never_waits>(Fault::unfinished, 3);
  dies_of<waits_twice>(Fault::request);
  dies_of<length_mismatch>(Fault::length);
  dies_of<past_the_end>(Fault::bounds);
}

TEST_CASE("a rank that leaves before all have come is found") {
  dies_of<forgets_the_last>(Fault::result);
  dies_of<repeats_a_round>(Fault::result);
  dies_of<repeats_a_round>(Fault::result, 7);
}

TEST_CASE("a variant that does not run is found") {
  dies_of<barrier_forgotten>(Fault::none);
  dies_of<barrier_forgotten>(Fault::rounds, 8, 2, {.barrier = true});
}

TEST_CASE("wrong use of pages is found") {
  dies_of<broadcasts_halves<InOrder>>(Fault::none);
  dies_of<broadcasts_halves<PublishesBackwards>>(Fault::step);
  dies_of<broadcasts_halves<PublishesInOneStep>>(Fault::step);
  dies_of<broadcasts_halves<ReadsBackwards>>(Fault::step);
  dies_of<broadcasts_halves<BelowZero>>(Fault::step);
  dies_of<broadcasts_halves<ReadsNextStep>>(Fault::deadlock);
  dies_of<publishes_all_at_once>(Fault::none, 8, 1024);
  dies_of<publishes_all_at_once>(Fault::page, 8, 1025);
  dies_of<publishes_all_at_once>(Fault::none, 8, 1, {.element_bytes = large});
  dies_of<publishes_all_at_once>(Fault::page, 8, 2, {.element_bytes = large});
  dies_of<reads_from<0>>(Fault::none, 8, 4);
  dies_of<reads_from<1>>(Fault::result, 8, 4);
  dies_of<reads_from<2>>(Fault::page, 8, 4);
  dies_of<reads_from<-1>>(Fault::page, 8, 4);
  dies_of<reads_from<std::int64_t{1} << 32>>(Fault::page, 8, 4);
  dies_of<reads_own_page>(Fault::bounds);
  dies_of<publishes_result_of_rank_0>(Fault::undefined);
  dies_of<reads_into_input>(Fault::forbidden);
  dies_of<chain_of_pages<false>>(Fault::none);
  dies_of<chain_of_pages<true>>(Fault::result);
}

TEST_CASE("wrong use of buffers is found") {
  dies_of<combines_too_early>(Fault::pending);
  dies_of<overwrites_what_it_sends>(Fault::pending);
  dies_of<receives_into_what_it_sends>(Fault::pending);
  dies_of<combines_into_lower>(Fault::overlap);
  dies_of<writes_input>(Fault::forbidden);
  dies_of<writes_result_of_rank_0>(Fault::forbidden);
  dies_of<writes_result_off_root>(Fault::forbidden);
  dies_of<reduces_to_rank_0>(Fault::forbidden, 8, 2, {.root = 3});
  dies_of<reads_input_late>(Fault::none);
  dies_of<reads_input_late>(Fault::operands, 8, 2, {}, true);
}

TEST_CASE("figures that are not exact are found") {
  dies_of<sends_then_receives>(Fault::rounds);
  dies_of<combines_once_more>(Fault::applications);
  const model::Recording recording = model::record<unharmed>(8, 2);
  const auto misstated = [&](auto figure) {
    Cost stated = *proof::stated_cost(unharmed::info, 8, 2, {});
    stated.*figure += 1;
    return model::check(recording, unharmed::info, stated).fault;
  };
  CHECK(misstated(&Cost::rounds) == Fault::rounds);
  CHECK(misstated(&Cost::applications) == Fault::applications);
  CHECK(misstated(&Cost::applications_last) == Fault::applications_last);
  CHECK(misstated(&Cost::sent) == Fault::sent);
  CHECK(misstated(&Cost::received) == Fault::received);
  dies_of<scratch_too_large>(Fault::scratch);
}

TEST_CASE("an algorithm that cuts more than it says is found") {
  constexpr std::int64_t page = page_bytes / 8;
  dies_of<combines_halves>(Fault::cut);
  dies_of<combines_halves>(Fault::cut, 3, 1);  // one of no elements
  dies_of<cuts_more<combines_halves, Cuts::always>>(Fault::none);
  dies_of<cuts_more<prefix::linear_pipeline<false>, Cuts::never>>(Fault::cut, 4, 3, {.segment = 16});
  dies_of<cuts_more<prefix::linear_pipeline<false>, Cuts::never>>(Fault::none, 4, 3, {.segment = 24});
  dies_of<cuts_more<prefix::two_tree<false>, Cuts::blocks>>(Fault::none, 4, 3, {.segment = 16});
  dies_of<cuts_more<prefix::two_tree<false>, Cuts::blocks>>(Fault::cut, 4, 3, {.segment = 24});
  dies_of<cuts_more<prefix::shared_flat<false>, Cuts::never>>(Fault::none, 4, page);
  dies_of<cuts_more<prefix::shared_flat<false>, Cuts::never>>(Fault::cut, 4, page + 1);
  dies_of<cuts_more<prefix::shared_slices<false>, Cuts::pages>>(Fault::cut, 4, page);
  CHECK(proof::check(model::record<combines_halves>(2, 2), combines_halves::info).text ==
        "rank 1, event 3, combine scratch[0..1) with result[0..1) into result[0..1): not all elements");
}

TEST_CASE("a page that is not marked is found") {
  const model::Recording recording = model::record<chain_of_pages<false>>(4, 1);
  CHECK(model::check_poison(recording, 1, 0).fault == Fault::none);
  CHECK(model::check_poison(recording, 1, 0, keep_to_oneself).text ==
        "rank 3 does not learn that rank 1 failed before event 0, but its result depends on it");
}

TEST_CASE("an error that is not passed on is found") {
  const model::Recording recording = model::record<unharmed>(4, 1);
  CHECK(model::check_poison(recording, 0, 0).fault == Fault::none);
  const model::Verdict verdict = model::check_poison(recording, 0, 0, keep_to_oneself);
  CHECK(verdict.fault == Fault::poison);
  CHECK(verdict.text == "rank 3 does not learn that rank 0 failed before event 0, but its result depends on it");
  CHECK(model::check_poison(recording).fault == Fault::none);
  CHECK(model::check_poison(recording, keep_to_oneself).text == verdict.text);
}

// There are more failures than are followed at once, and batches end in the middle of a rank's events.
TEST_CASE("all failures at once are found as one by one") {
  const model::Recording recording = model::record<unharmed>(37, 1);
  REQUIRE(recording.events.size() > 256);
  const auto late = [](bool failed, bool told) { return told && !failed; };
  for (const model::PoisonRule rule : {model::PoisonRule{keep_to_oneself}, model::PoisonRule{late}}) {
    std::string first;
    for (int r = 0; r < recording.p && first.empty(); ++r)
      for (int event = 0; event < recording.event_count(r) && first.empty(); ++event)
        first = model::check_poison(recording, r, event, rule).text;
    CHECK(model::check_poison(recording, rule).text == first);
  }
}

TEST_CASE("a pipeline that does not overlap is found") {
  dies_of<asks_late>(Fault::none, 8, 4, {.segment = 8});
  const auto verdict = [](const model::Recording& recording) { return model::check_ahead(recording).fault; };
  CHECK(verdict(model::record<asks_late>(8, 4, {.segment = 8})) == Fault::late);
  CHECK(verdict(model::record(prefix::linear_pipeline<false>::info, 8, 4, {.segment = 8})) == Fault::none);
}
