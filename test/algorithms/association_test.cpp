// SPDX-License-Identifier: MIT
// The order in which results are combined, which decides the bits of floating-point sums: it varies with what
// algorithms state, and with nothing else.
#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <limits>
#include <map>
#include <vector>

#include "algorithms/model/check.hpp"
#include "algorithms/model/recording_transport.hpp"
#include "algorithms/patterns/nodes.hpp"
#include "test/algorithms/cases.hpp"

using namespace mpigraft;
using namespace mpigraft::proof;

namespace {

using Recorder = std::function<model::Recording(int p, std::int64_t m, const Params& params)>;

/// An algorithm, and its flat form.
struct Subject {
  const AlgorithmInfo* info;
  Recorder record, flat;

  std::vector<std::uint64_t> associations(int p, std::int64_t m, const Params& params) const {
    const bool fits = unfit(info->placement, p, params.nodes).empty();
    return model::associations((fits ? record : flat)(p, m, params), info->commutative);
  }
};

Recorder recorder(const AlgorithmInfo& info) {
  return [&info](int p, std::int64_t m, const Params& params) { return model::record(info, p, m, params); };
}

Subject subject(const AlgorithmInfo& info) {
  const int flat = find_algorithm(info.collective, info.flat);
  return {&info, recorder(info), recorder(flat < 0 ? info : info_of(flat))};
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
  for (const int root : roots_among(subject.info->collective, {0, p / 2, p - 1}))
    for (const std::int64_t bytes : {small, large}) {
      observe(subject, p, root, 7, bytes, seen);
      if (p <= 12) observe(subject, p, root, 2 * p + 1, bytes, seen);
    }
}

// Algorithms made for the test.

constexpr AlgorithmInfo sum_for_all{
    .collective = Collective::allreduce, .paper = "", .summary = "", .rounds = "", .commutative = true};
constexpr AlgorithmInfo sum_for_root{.collective = Collective::reduce, .paper = "", .summary = "", .rounds = ""};

using Net = model::RecordingTransport;

/// p = 2^k; partners combine the same two values.
void doubles(Net& net, const Operands& operands, const Params&) {
  const Block sum = operands.result, in = net.scratch(sum.count);
  net.copy(operands.input, sum);
  for (int s = 1; s < net.size(); s *= 2) {
    net.sendrecv(sum, net.rank() ^ s, in, net.rank() ^ s);
    net.combine(in, sum);
  }
}

/// Every rank begins with its own value, so that each has another order.
void goes_round(Net& net, const Operands& operands, const Params&) {
  const Block sum = operands.result, in = net.scratch(sum.count), out = net.scratch(sum.count);
  const int p = net.size(), r = net.rank();
  net.copy(operands.input, sum);
  net.copy(operands.input, out);
  for (int k = 1; k < p; ++k) {
    net.sendrecv(out, (r + 1) % p, in, (r + p - 1) % p);
    net.combine(in, sum);
    net.copy(in, out);
  }
}

/// Combines for root 0; blocks after the first are summed from the other end.
void changes_its_mind(Net& net, const Operands& operands, const Params& params) {
  const Block V = operands.input, W = operands.result;
  const int p = net.size(), r = net.rank();
  if (r > 0) return net.send(V, 0);
  const std::int64_t length = params.segment / params.element_bytes;
  const std::int64_t first = length > 0 && length < V.count ? length : V.count;
  const Block all = net.scratch(V.count, p);
  const auto x = [&](int s, std::int64_t from, std::int64_t count) { return all.part(s * V.count + from, count); };
  for (int s = 1; s < p; ++s) net.recv(x(s, 0, V.count), s);
  net.copy(V, W);
  for (int s = 1; s < p; ++s) {
    net.combine(W.part(0, first), x(s, 0, first));
    net.copy(x(s, 0, first), W.part(0, first));
  }
  const std::int64_t rest = V.count - first;
  if (rest == 0 || p == 1) return;
  for (int s = p - 2; s > 0; --s) net.combine(x(s, first, rest), x(p - 1, first, rest));
  net.combine(V.part(first, rest), x(p - 1, first, rest), W.part(first, rest));
}

model::Verdict as_allreduce(const model::Run& run, int p) {
  return model::check(model::record_run(sum_for_all, run, p, 2), sum_for_all);
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
  const Recorder record = [](int p, std::int64_t m, const Params& params) {
    return model::record_run(sum_for_root, changes_its_mind, p, m, params);
  };
  const Subject mutant{&sum_for_root, record, record};
  Varies of_two, of_three;
  observe(mutant, 2, 0, 7, small, of_two);  // one way only
  observe(mutant, 3, 0, 7, small, of_three);
  CHECK(of_two == Varies{});
  CHECK(of_three == Varies{.with_blocks = true});
}

TEST_CASE("an order that depends on the nodes is found") {
  const AlgorithmInfo& binomial = named("reduce/binomial");
  const Recorder flat = recorder(binomial);
  Varies of_chains, of_binomial;
  observe_all({&named("reduce/hierarchical"), recorder(named("reduce/linear_pipeline")), flat}, 6, of_chains);
  observe_all({&binomial, flat, flat}, 6, of_binomial);
  CHECK(of_chains.with_nodes);
  CHECK_FALSE(of_binomial.with_nodes);
}
