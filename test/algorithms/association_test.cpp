// SPDX-License-Identifier: MIT
// The order in which results are combined, which decides the bits of floating-point sums: it varies with what
// algorithms state, and with nothing else.
#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <map>
#include <vector>

#include "algorithms/model/check.hpp"
#include "algorithms/patterns/nodes.hpp"
#include "algorithms/program.hpp"
#include "test/algorithms/cases.hpp"

using namespace mpigraft;
using namespace mpigraft::proof;

namespace {

/// An algorithm, and its flat form.
struct Subject {
  const AlgorithmInfo &info, &flat;

  std::vector<std::uint64_t> associations(int p, std::int64_t m, const Params& params) const {
    const bool fits = unfit(info.placement, p, params.nodes).empty();
    return model::associations(model::record(fits ? info : flat, p, m, params), info.commutative);
  }
};

Subject subject(const AlgorithmInfo& info) {
  const int flat = find_algorithm(info.collective, info.flat);
  return {info, flat < 0 ? info : info_of(flat)};
}

/// The things, besides ranks, root and vector, that the association of a result is seen to depend on.
struct Varies {
  bool with_blocks = false, with_nodes = false;
  friend bool operator==(const Varies&, const Varies&) = default;
};

/// Observes runs on nodes of all shapes, and in blocks of one element and more, of the formula's size, and of all
/// elements.
void observe(const Subject& subject, int p, int root, std::int64_t m, std::int64_t bytes, Varies& seen) {
  constexpr std::int64_t all = std::numeric_limits<std::int64_t>::max();
  std::map<std::int64_t, std::vector<std::uint64_t>> of_blocks;  // in the first division into nodes
  for (const Shape& nodes : shapes(p)) {
    std::vector<std::uint64_t> of_nodes;  // in blocks as the formula says
    for (const std::int64_t segment : {std::int64_t{0}, bytes, 2 * bytes, 3 * bytes, all}) {
      const Params params{.root = root, .element_bytes = bytes, .segment = segment, .nodes = nodes};
      const std::vector<std::uint64_t> found = subject.associations(p, m, params);
      if (segment == 0) of_nodes = found;
      seen.with_blocks |= found != of_nodes;
      seen.with_nodes |= found != of_blocks.try_emplace(segment, found).first->second;
    }
  }
}

void observe_all(const Subject& subject, int p, Varies& seen) {
  for (const int root : roots_among(subject.info.collective, {0, p / 2, p - 1}))
    for (const std::int64_t bytes : {small, large}) {
      observe(subject, p, root, 7, bytes, seen);
      if (p <= 12) observe(subject, p, root, 2 * p + 1, bytes, seen);
    }
}

// Algorithms made for the test.

/// p = 2^k; partners combine the same two values.
void doubles(Program& net) {
  Value sum = net.input();
  for (int s = 1; s < net.size(); s *= 2) {
    net.send(sum, net.rank() ^ s);
    sum = net.combine(net.recv(net.rank() ^ s, sum.count), sum);
  }
  net.result(sum);
}

/// Every rank begins with its own value, so that each has another order.
void goes_round(Program& net) {
  const int p = net.size(), r = net.rank();
  Value sum = net.input(), passed = sum;
  for (int k = 1; k < p; ++k) {
    net.send(passed, (r + 1) % p);
    passed = net.recv((r + p - 1) % p, sum.count);
    sum = net.combine(passed, sum);
  }
  net.result(sum);
}

/// Combines for root 0; blocks after the first are summed from the other end.
void changes_its_mind(Program& net) {
  const Value V = net.input();
  if (net.rank() > 0) return net.send(V, 0);
  const std::int64_t length = net.params().segment / net.params().element_bytes;
  const std::int64_t first = length > 0 && length < V.count ? length : V.count, rest = V.count - first;
  std::vector<Value> all{V};
  for (int s = 1; s < net.size(); ++s) all.push_back(net.recv(s, V.count));
  Value from_0, from_last;
  for (const Value x : all) from_0 = net.combine(from_0, part(x, 0, first));
  net.result(from_0);
  if (rest == 0) return;
  for (std::size_t s = all.size(); s-- > 0;) from_last = net.combine(part(all[s], first, rest), from_last);
  net.result(from_last, first);
}

/// An algorithm as this one states it, with another text.
AlgorithmInfo with_text(std::string_view name, void (*text)(Program&)) {
  AlgorithmInfo info = named(name);
  info.text = text;
  return info;
}

model::Verdict as_allreduce(void (*text)(Program&), int p) {
  const AlgorithmInfo sum = with_text("allreduce/ring", text);
  return model::check(model::record(sum, p, 2), sum);
}

}  // namespace

TEST_CASE("associations vary with what algorithms say they do, and with nothing else", "[association]") {
  for_each_proved([](const Listed& A) {
    Varies seen;
    for (int p = 1; p <= 40; p += p < 20 ? 1 : 5) observe_all(subject(*A.info), p, seen);
    CAPTURE(A.name);
    CHECK(seen.with_blocks == A.info->varies_with_blocks);
    CHECK(seen.with_nodes == A.info->varies_with_nodes());
  });
}

TEST_CASE("what never varies does not on many ranks either", "[association]") {
  Random random(3);
  for_each_proved([&](const Listed& A) {
    const AlgorithmInfo* const info = A.info;
    if (!info_of(info->collective).combines() || (info->varies_with_blocks && info->varies_with_nodes())) return;
    if (!is_for(*info, 41)) return;
    for (int sample = 0; sample < (full() ? 20 : 2); ++sample) {
      const int p = 41 + random.below(260);
      Varies seen;
      observe(subject(*info), p, info_of(info->collective).rooted() ? random.below(p) : 0, 9, small, seen);
      CAPTURE(A.name, p, seen.with_blocks, seen.with_nodes);
      CHECK((seen.with_blocks <= info->varies_with_blocks && seen.with_nodes <= info->varies_with_nodes()));
    }
  });
}

/// True if not all elements, in vectors of all lengths, are combined in the same order.
bool varies_with_length(const Subject& subject, int p, int root, const Shape& nodes) {
  const auto trees = [&](std::int64_t m, std::int64_t bytes) {
    return subject.associations(p, m, {.root = root, .element_bytes = bytes, .nodes = nodes});
  };
  const std::vector<std::uint64_t> one = trees(1, small);
  for (const auto& [m, bytes] : {std::pair<std::int64_t, std::int64_t>{1, large},
                                 {3, small},
                                 {std::max(2 * p + 1, std::min(p * p, 65)), small}}) {
    const std::vector<std::uint64_t> found = trees(m, bytes);
    for (std::size_t k = 0; k < found.size(); ++k)
      if (found[k] != one[k / static_cast<std::size_t>(m)]) return true;
  }
  return false;
}

// MPIGRAFT_REPRODUCIBLE=order takes one whose order does not.
TEST_CASE("associations vary with the length where algorithms say so, and nowhere else", "[association]") {
  for_each_proved([](const Listed& A) {
    bool seen = false;
    for (int p = 1; p <= 40 && info_of(A.info->collective).combines(); ++p)
      for (const int root : roots_among(A.info->collective, {0, p / 2, p - 1}))
        for (const Shape& nodes : {Shape{0}, Shape{0, (p + 1) / 2}})
          if (p > 1 || nodes.size() == 1) seen |= varies_with_length(subject(*A.info), p, root, nodes);
    CAPTURE(A.name);
    CHECK(seen == A.info->varies_with_length);
  });
}

TEST_CASE("collectives whose ranks get the same combination, and so the same bits") {
  CHECK(info_of(Collective::allreduce).gives_all_the_same());
  CHECK_FALSE(info_of(Collective::bcast).gives_all_the_same());
  CHECK_FALSE(info_of(Collective::reduce).gives_all_the_same());
}

TEST_CASE("different bits on different ranks are found") {
  CHECK(as_allreduce(doubles, 8).text.empty());
  CHECK(as_allreduce(goes_round, 2).text.empty());
  CHECK(as_allreduce(goes_round, 3).text == "rank 1, result[0]: combined in another order than at rank 0");
  CHECK(as_allreduce(goes_round, 3).fault == model::Fault::association);
}

TEST_CASE("an order that depends on the block size is found") {
  const AlgorithmInfo mutant = with_text("reduce/binomial", changes_its_mind);
  Varies of_two, of_three;
  observe(subject(mutant), 2, 0, 7, small, of_two);  // one way only
  observe(subject(mutant), 3, 0, 7, small, of_three);
  CHECK(of_two == Varies{});
  CHECK(of_three == Varies{.with_blocks = true});
}

TEST_CASE("an order that depends on the nodes is found") {
  const AlgorithmInfo& binomial = named("reduce/binomial");
  const AlgorithmInfo chains = with_text("reduce/hierarchical", named("reduce/linear_pipeline").text);
  Varies of_chains, of_binomial;
  observe_all({chains, binomial}, 6, of_chains);
  observe_all({binomial, binomial}, 6, of_binomial);
  CHECK(of_chains.with_nodes);
  CHECK_FALSE(of_binomial.with_nodes);
}
