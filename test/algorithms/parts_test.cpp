// SPDX-License-Identifier: MIT
// Vectors in a part for each rank, of any lengths. All other proofs have parts whose lengths differ by one at most.
#include <catch2/catch.hpp>
#include <vector>

#include "algorithms/model/check.hpp"
#include "algorithms/model/recording_transport.hpp"
#include "test/algorithms/cases.hpp"
#include "test/algorithms/costs/cost.hpp"

using namespace mpigraft;
using namespace mpigraft::proof;
using model::Fault;

namespace {

using Firsts = std::vector<std::int64_t>;

/// Divisions: parts alike, all in one, every second empty, a long one among short ones, and random ones.
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
  for (const int longest : {7, 3 * p + 1}) add([=](int r) { return r == one ? longest : 0; });
  add([](int r) { return r % 2; });
  add([=](int r) { return r == one ? 2 * p + 3 : r % 3; });
  add([&](int) { return random.below(4); });
  return all;
}

/// Proves all algorithms on vectors in parts, on several nodes only those that look at nodes.
void prove_parts(int p, const Firsts& firsts, Params params) {
  params.parts = {.firsts = firsts};
  for_each_proved([&](const Listed& A) {
    if (!info_of(A.info->collective).has_parts() || !is_for(*A.info, p)) return;
    const bool fits = looks_at_nodes(A.info->placement) && unfit(A.info->placement, p, params.nodes).empty();
    if (!params.nodes.empty() && !fits) return;
    for (const bool in_place : in_place_modes(A.info->collective, p)) {
      const model::Recording& recording = prove(A, p, firsts.back(), params, in_place);
      if (p <= 8) expect(A.name, recording, model::check_poison(recording));
    }
  });
}

/// A rank passes on what it receives in that round.
void passes_on_too_soon(model::RecordingTransport& net, const Operands& operands, const Params&) {
  const int p = net.size(), r = net.rank();
  const auto part = [&](int s) {
    return operands.result.part(operands.parts.first(s % p), operands.parts.count(s % p));
  };
  net.copy(operands.input, part(r));
  for (int k = 1; k < p; ++k) net.sendrecv(part(r + p - k), (r + 1) % p, part(r + p - k), (r + p - 1) % p);
}

}  // namespace

TEST_CASE("parts of a vector") {
  const Firsts firsts{0, 2, 2, 7};
  const Parts any{.firsts = firsts}, alike{.each = 3}, even = even_parts(8, 3);
  CHECK((any.first(1) == 2 && any.count(1) == 0 && any.count(2) == 5 && any.first(3) == 7));
  CHECK((any.shortest(3) == 0 && any.longest(3) == 5 && any.shortest(1) == 2));
  CHECK((alike.first(2) == 6 && alike.count(2) == 3));
  CHECK((even.first(1) == 3 && even.first(2) == 6 && even.first(3) == 8));
  CHECK((even.shortest(3) == 2 && even.longest(3) == 3));
  CHECK((parts_of(3, 8, {}).first(1) == 3 && parts_of(3, 7, {.parts = any}).first(1) == 2));
}

TEST_CASE("parts of any lengths", "[parts]") {
  for (int p = 1; p <= (full() ? 72 : 40); ++p)
    for (const Firsts& firsts : cuts(p))
      for (const std::int64_t bytes : {small, large}) prove_parts(p, firsts, {.element_bytes = bytes});
}

TEST_CASE("parts of any lengths in pages of few elements", "[parts]") {
  for (int p = 1; p <= max_readers; ++p)
    for (const Firsts& firsts : cuts(p))
      for (const std::int64_t segment : {small, 3 * small}) prove_parts(p, firsts, {.segment = segment});
}

TEST_CASE("parts of any lengths on nodes", "[parts]") {
  for (int p = 2; p <= (full() ? 72 : 24); ++p)
    for (const Shape& nodes : shapes(p))
      for (const Firsts& firsts : cuts(p)) {
        prove_parts(p, firsts, {.nodes = nodes});
        prove_parts(p, firsts, {.segment = small, .nodes = nodes});
      }
}

TEST_CASE("a wrong part is found") {
  const AlgorithmInfo& ring = named("allgather/ring");
  CHECK(model::check(model::record_run(ring, passes_on_too_soon, 3, 6), ring).fault == Fault::pending);
  const Firsts firsts{0, 3, 3, 5}, shifted{0, 2, 3, 5};
  for (const AlgorithmInfo* info : {&ring, &named("reduce_scatter/pairwise")}) {
    model::Recording wrong = model::record(*info, 3, 5, {.parts = {.firsts = firsts}});
    CHECK(model::check(wrong, *info).fault == Fault::none);
    wrong.params.parts = {.firsts = shifted};
    CHECK(model::check(wrong, *info).fault != Fault::none);
  }
}
