// SPDX-License-Identifier: MIT
#include "shim/operation/decision.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <memory>

#include "config/table/choice.hpp"
#include "shim/abi/acceptance.hpp"
#include "shim/abi/predefined.hpp"
#include "test/unit/shim/fake_mpi.hpp"

using namespace mpigraft;
using namespace mpigraft::table;

namespace {

/// A communicator of so many ranks, as far as decisions look at it.
struct Ranks {
  explicit Ranks(int size, std::vector<Rule> rules = {}) : agreed(abi::comm_self) {
    auto table = std::make_shared<agree::AgreedTable>();
    table->table.rules = std::move(rules);
    agreed.size = size;
    agreed.table = table;
    agreed.nodes = {0};
    agreed.ranks_per_node = {size, size};
    abi::make_own_comm();
  }
  operation::Decision decide_on(abi::Call call) { return operation::decide(agreed, traffic, call); }

  agree::Negotiated agreed;
  operation::Traffic traffic;
};

std::int64_t in[4] = {1, 2, 3, 4}, out[4];

abi::Call call_of(Collective collective, std::int64_t count = 4, abi::Type type = abi::type_int64,
                  abi::Op op = abi::op_sum) {
  const bool combines = info_of(collective).combines();
  return abi::Call({.collective = collective,
                    .large = false,
                    .send = combines ? in : nullptr,
                    .recv = out,
                    .count = count,
                    .type = abi::to_pass(type),
                    .op = combines ? abi::to_pass(op) : 0,
                    .root = 0,
                    .comm = abi::to_pass(abi::comm_world)});
}

/// `parts` lives as long as the call; it has counts, or all parts are as long as `count`.
abi::Call call_in_parts(Collective collective, std::int64_t count, const abi::RawParts& parts) {
  const bool combines = info_of(collective).combines();
  return abi::Call({.collective = collective,
                    .large = false,
                    .equal = !parts.counts,
                    .send = in,
                    .recv = out,
                    .count = count,
                    .type = abi::to_pass(abi::type_int64),
                    .op = combines ? abi::to_pass(abi::op_sum) : 0,
                    .root = 0,
                    .comm = abi::to_pass(abi::comm_world),
                    .parts = &parts});
}

Choice choice_of(Collective collective, const char* words) { return resolve_choice(collective, words).choice; }

Rule rule_of(Collective collective, const char* words, Range bytes, int line) {
  Rule rule;
  rule.collective = collective;
  rule.choice = choice_of(collective, words);
  rule.bytes = bytes;
  rule.line = line;
  return rule;
}

}  // namespace

TEST_CASE("the table's rule for the bytes of a call") {
  Ranks place(4,
              {rule_of(Collective::scan, "binomial", {1, 31}, 2), rule_of(Collective::scan, "butterfly", {32, 99}, 3)});
  const operation::Decision found = place.decide_on(call_of(Collective::scan));
  CHECK(found.why == Why::rule);
  CHECK(found.line == 3);
  CHECK(name_of(found.choice) == "scan/butterfly");
  CHECK(place.decide_on(call_of(Collective::scan, 3)).line == 2);
  CHECK(place.decide_on(call_of(Collective::scan, 100)).why == Why::no_rule);
  CHECK(place.decide_on(call_of(Collective::exscan)).why == Why::no_rule);
}

TEST_CASE("what is forced comes before the table") {
  Ranks place(4, {rule_of(Collective::bcast, "binomial", {1, 99}, 2)});
  place.agreed.force[static_cast<std::size_t>(Collective::bcast)] = choice_of(Collective::bcast, "circulant");
  const operation::Decision found = place.decide_on(call_of(Collective::bcast));
  CHECK(found.why == Why::forced);
  CHECK(name_of(found.choice) == "bcast/circulant");
}

TEST_CASE("calls that stay native before any table is asked") {
  Ranks place(4, {rule_of(Collective::scan, "binomial", {0, 99}, 2)});
  CHECK(place.decide_on(call_of(Collective::scan, 0)).why == Why::no_bytes);
  CHECK(place.decide_on(call_of(Collective::scan, -1)).why == Why::arguments);
  CHECK(place.decide_on(call_of(Collective::scan, 4, abi::Type::null)).why == Why::arguments);
  CHECK(place.decide_on(call_of(Collective::scan, 4, abi::type_int64, abi::Op::null)).why == Why::arguments);
  abi::Call overlapping = call_of(Collective::scan);
  overlapping.send = overlapping.recv;
  CHECK(place.decide_on(overlapping).why == Why::arguments);
  abi::Call beyond = call_of(Collective::reduce);
  beyond.root = 4;
  CHECK(place.decide_on(beyond).why == Why::arguments);
  CHECK(Ranks(1).decide_on(call_of(Collective::scan)).why == Why::one_rank);
  place.agreed.fallback = agree::FallbackReason::warming_up;
  CHECK(place.decide_on(call_of(Collective::scan)).fallback == agree::FallbackReason::warming_up);
}

TEST_CASE("a call in place has one buffer") {
  Ranks place(4, {rule_of(Collective::scan, "binomial", {1, 99}, 2)});
  abi::Call call = call_of(Collective::scan);
  call.send = abi::in_place;
  CHECK(place.decide_on(call).why == Why::rule);
  call.recv = const_cast<void*>(abi::in_place);
  CHECK(place.decide_on(call).why == Why::arguments);
}

TEST_CASE("the parts of a vector count together") {
  Ranks place(4, {rule_of(Collective::reduce_scatter, "pairwise", {72, 72}, 2),
                  rule_of(Collective::allgather, "ring", {72, std::int64_t{1} << 40}, 3)});
  const auto why = [&](Collective collective, std::int64_t count, const abi::RawParts& parts) {
    return place.decide_on(call_in_parts(collective, count, parts)).why;
  };
  const std::uintptr_t type = abi::to_pass(abi::type_int64);
  const std::array<int, 4> counts{3, 0, 5, 1}, negative{3, -1, 5, 1}, none{};
  CHECK(why(Collective::reduce_scatter, 0, {.counts = counts.data()}) == Why::rule);
  CHECK(why(Collective::reduce_scatter, 0, {.counts = negative.data()}) == Why::arguments);
  CHECK(why(Collective::reduce_scatter, 0, {.counts = none.data()}) == Why::no_bytes);
  CHECK(why(Collective::allgather, 0, {3, type, counts.data(), counts.data()}) == Why::rule);
  CHECK(why(Collective::allgather, 0, {-3, type, counts.data(), counts.data()}) == Why::arguments);
  CHECK(why(Collective::allgather, 0, {3, 0, counts.data(), counts.data()}) == Why::arguments);
  CHECK(why(Collective::allgather, 3, {3, type}) == Why::rule);
  CHECK(why(Collective::allgather, 2, {2, type}) == Why::no_rule);
  CHECK(why(Collective::allgather, 1 << 25, {1 << 25, type}) == Why::rule);
  CHECK(why(Collective::allgather, (1 << 25) + 1, {(1 << 25) + 1, type}) == Why::long_parts);
  CHECK(why(Collective::allgather, std::int64_t{1} << 61, {1, type}) == Why::arguments);  // the sum overflows
}

TEST_CASE("the buffers of parts") {
  const std::array<int, 4> counts{0, 3, 1, 0}, places{0, 4, 7, 0};
  const abi::RawParts gathered{0, abi::to_pass(abi::type_int64), counts.data(), places.data()};
  const abi::RawParts summed{.counts = counts.data()};
  const auto good = [&](abi::Call call, int rank) { return abi::inspect(call, rank, 4); };
  abi::Call call = call_in_parts(Collective::reduce_scatter, 0, summed);
  call.recv = nullptr;
  CHECK(good(call, 0));  // rank 0's part is empty
  CHECK_FALSE(good(call, 1));
  call.recv = const_cast<void*>(call.send);
  CHECK_FALSE(good(call, 0));
  call = call_in_parts(Collective::allgather, 0, gathered);
  CHECK(good(call, 0));
  call.recv = nullptr;
  CHECK(good(call, 0));  // no part begins there
  call.recv = const_cast<void*>(abi::in_place);
  CHECK_FALSE(good(call, 0));
  const abi::RawParts alike{2, abi::to_pass(abi::type_int64)};
  call = call_in_parts(Collective::allgather, 2, alike);
  call.send = out + 2;
  CHECK(good(call, 0));
  CHECK_FALSE(good(call, 1));  // rank 1's own place
  call.send = nullptr;
  CHECK_FALSE(good(call, 0));
}

TEST_CASE("operators of the program") {
  Ranks place(4, {rule_of(Collective::reduce, "circulant", {1, 99}, 2)});
  place.agreed.force[static_cast<std::size_t>(Collective::reduce)] = choice_of(Collective::reduce, "circulant");
  CHECK(place.decide_on(call_of(Collective::reduce)).why == Why::forced);
  CHECK(place.decide_on(call_of(Collective::reduce, 4, abi::type_int64, test::op_first)).why == Why::commutative);
  abi::Call call = call_of(Collective::reduce, 4, test::type_triple, test::op_first);
  REQUIRE(abi::inspect(call, 0, 4));
  CHECK(call.user_op);
  CHECK_FALSE(call.commutative);
  CHECK(call.bytes == 96);
  CHECK_FALSE(call.is_predefined());
  CHECK(call.kernel == nullptr);
}

TEST_CASE("floating point reductions stay native where that was asked for") {
  Ranks place(4,
              {rule_of(Collective::scan, "binomial", {1, 99}, 2), rule_of(Collective::bcast, "binomial", {1, 99}, 3)});
  place.agreed.float_native = true;
  CHECK(place.decide_on(call_of(Collective::scan, 4, abi::type_double)).why == Why::floating);
  CHECK(place.decide_on(call_of(Collective::scan)).why == Why::rule);
  CHECK(place.decide_on(call_of(Collective::bcast, 4, abi::type_double)).why == Why::rule);
}

TEST_CASE("ranks that share no memory run the flat form") {
  Ranks place(4, {rule_of(Collective::scan, "shared_flat", {1, 99}, 2)});
  const operation::Decision found = place.decide_on(call_of(Collective::scan));
  CHECK(found.choice.algorithm != native);
  CHECK(found.flat_of == choice_of(Collective::scan, "shared_flat").algorithm);
  CHECK(found.flat_because == "the ranks share no memory");
}

TEST_CASE("our operators run where they leave what MPI's leave") {
  abi::Call sum = call_of(Collective::scan), least = call_of(Collective::scan, 4, abi::type_int64, abi::op_min);
  REQUIRE(abi::inspect(sum, 0, 4));
  CHECK(sum.kernel != nullptr);
  REQUIRE(abi::inspect(least, 0, 4));
  CHECK(least.kernel == nullptr);  // the fake MPI cannot
}
