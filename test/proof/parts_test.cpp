// SPDX-License-Identifier: MIT
// Collectives that cut the vector into a part for each rank, of any lengths. The table has none of them so far.
#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <vector>

#include "algorithms/model/check.hpp"
#include "test/proof/cases.hpp"

using namespace mpigraft;
using namespace mpigraft::proof;
using model::Fault;

namespace {

constexpr Operand whole{Holders::every_rank, Length::vector}, own_part{Holders::every_rank, Length::part};
constexpr CollectiveInfo reduce_scatter{"reduce_scatter", "MPI_Reduce_scatter", Signature::send_recv_op, whole,
                                        own_part,         Sources::of_all,      InPlace::in_copy,        one_vector};
constexpr CollectiveInfo allgather{"allgather", "MPI_Allgatherv",  Signature::send_recv_op, own_part,
                                   whole,       Sources::of_owner, InPlace::in_result,      one_vector};

struct Extremes {
  std::int64_t shortest, longest;
};
Extremes extremes(int p, const Parts& parts) {
  Extremes found{parts.count(0), parts.count(0)};
  for (int r = 1; r < p; ++r)
    found = {std::min(found.shortest, parts.count(r)), std::max(found.longest, parts.count(r))};
  return found;
}

/// Everybody sends each part straight to its owner.
struct scatters {
  template <Transport T>
  static void run(T& net, const Operands& operands, const Params&) {
    const auto part = [&](int r) { return operands.input.part(operands.parts.first(r), operands.parts.count(r)); };
    const int p = net.size(), r = net.rank();
    const Block sum = operands.result, in = net.scratch(sum.count);
    net.copy(part(r), sum);
    for (int k = 1; k < p; ++k) {
      const int to = (r + k) % p;
      net.sendrecv(part(to), to, in, (r - k + p) % p);
      net.combine(in, sum);
    }
  }
  static constexpr AlgorithmInfo info{
      .collective = Collective::reduce,  // recorded as another one
      .paper = "",
      .summary = "",
      .rounds = "p-1",
      .commutative = true,
      .cuts = Cuts::always,
      .theorem = [](int p, std::int64_t m, const Params& params) -> Theorem {
        const auto [shortest, longest] = extremes(p, params.parts);
        return {p - 1, (p - 1) * longest, (p - 1) * params.parts.count(p - 1), m - shortest, (p - 1) * longest};
      },
      .scratch = [](int p, std::int64_t, const Params& params) { return extremes(p, params.parts).longest; },
  };
};

/// Round the ring. `late`: what a rank passes on is what it receives in that round.
template <int late = 0>
struct gathers {
  template <Transport T>
  static void run(T& net, const Operands& operands, const Params&) {
    const int p = net.size(), r = net.rank();
    const auto part = [&](int r) {
      return operands.result.part(operands.parts.first((r + p) % p), operands.parts.count((r + p) % p));
    };
    net.copy(operands.input, part(r));
    for (int k = 0; k + 1 < p; ++k) net.sendrecv(part(r - k - late), (r + 1) % p, part(r - k - 1), (r - 1 + p) % p);
  }
  static constexpr AlgorithmInfo info{
      .collective = Collective::bcast,  // recorded as another one
      .paper = "",
      .summary = "",
      .rounds = "p-1",
      .theorem = [](int p, std::int64_t m, const Params& params) -> Theorem {
        const std::int64_t moved = m - extremes(p, params.parts).shortest;
        return {.rounds = p - 1, .sent = moved, .received = moved};
      },
      .scratch = [](int, std::int64_t, const Params&) -> std::int64_t { return 0; },
  };
};

using Firsts = std::vector<std::int64_t>;

/// All alike, all in one, every second empty, and what chance brings.
std::vector<Firsts> cuts(int p) {
  Random random(static_cast<unsigned>(p));
  std::vector<Firsts> all;
  const auto add = [&](auto length) {
    Firsts firsts{0};
    for (int r = 0; r < p; ++r) firsts.push_back(firsts.back() + length(r));
    all.push_back(firsts);
  };
  for (const int each : {0, 1, 3}) add([=](int) { return each; });
  const int one = random.below(p);
  add([=](int r) { return r == one ? 7 : 0; });
  add([](int r) { return r % 2; });
  add([&](int) { return random.below(4); });
  return all;
}

template <class A>
model::Verdict verdict_of(const CollectiveInfo& collective, int p, const Parts& parts, bool in_place = false) {
  return model::check(model::record_as<A>(collective, p, parts.first(p), {.parts = parts}, in_place), A::info);
}

}  // namespace

TEST_CASE("parts of a vector") {
  const Firsts firsts{0, 2, 2, 7};
  const Parts any{.firsts = firsts}, alike{.each = 3};
  CHECK((any.first(1) == 2 && any.count(1) == 0 && any.count(2) == 5 && any.first(3) == 7));
  CHECK((alike.first(2) == 6 && alike.count(2) == 3));
}

TEST_CASE("a part for each rank of what all combine, and parts of all for every rank") {
  for (int p = 1; p <= 24; ++p)
    for (const Firsts& firsts : cuts(p)) {
      CAPTURE(p, firsts);
      for (const model::Verdict& verdict :
           {verdict_of<scatters>(reduce_scatter, p, {.firsts = firsts}),
            verdict_of<gathers<>>(allgather, p, {.firsts = firsts}),
            verdict_of<gathers<>>(allgather, p, {.firsts = firsts}, true), verdict_of<scatters>(reduce_scatter, p, {2}),
            verdict_of<gathers<>>(allgather, p, {2}), verdict_of<gathers<>>(allgather, p, {2}, true)}) {
        INFO(verdict.text);
        REQUIRE(verdict);
      }
    }
}

TEST_CASE("a wrong part is found") {
  CHECK(verdict_of<gathers<1>>(allgather, 3, {2}).fault == Fault::pending);
  const Firsts firsts{0, 3, 3, 5};
  const auto recorded = [&](bool in_place) {
    return model::record_as<gathers<>>(allgather, 3, 5, {.parts = {.firsts = firsts}}, in_place);
  };
  CHECK(model::words(recorded(false), 2, 0) == "rank 2, event 0, copy input[0..2) to result[3..5)");
  CHECK(model::words(recorded(true), 2, 0) ==
        "rank 2, event 0, copy result (in place)[3..5) to result (in place)[3..5)");
  const Firsts shifted{0, 2, 3, 5};
  model::Recording wrong = recorded(false);
  wrong.params.parts = {.firsts = shifted};
  CHECK(model::check(wrong, gathers<>::info).fault != Fault::none);
  const model::Recording summed = model::record_as<scatters>(reduce_scatter, 3, 5, {.parts = {.firsts = firsts}});
  CHECK(model::words(summed, 2, 0) == "rank 2, event 0, copy input[3..5) to result[0..2)");
  CHECK(model::words(summed, 2, summed.event_count(2) - 1) ==
        "rank 2, event 10, combine scratch[0..2) with result[0..2) into result[0..2)");
  CHECK(model::check(model::record_as<scatters>(allgather, 3, 6, {.parts = {2}}), scatters::info).fault ==
        Fault::length);
}
