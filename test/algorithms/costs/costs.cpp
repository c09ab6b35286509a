// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "algorithms/catalogue.hpp"
#include "algorithms/patterns/nodes.hpp"
#include "test/algorithms/cases.hpp"
#include "test/algorithms/costs/allgather.hpp"
#include "test/algorithms/costs/allreduce.hpp"
#include "test/algorithms/costs/bcast.hpp"
#include "test/algorithms/costs/exscan.hpp"
#include "test/algorithms/costs/prefix.hpp"
#include "test/algorithms/costs/prefix_trees.hpp"
#include "test/algorithms/costs/reduce.hpp"
#include "test/algorithms/costs/reduce_scatter.hpp"
#include "test/algorithms/costs/rooted.hpp"
#include "test/algorithms/costs/scan.hpp"

namespace mpigraft::barrier::costs {

inline Cost hierarchical(int p, std::int64_t, const Params& params) {
  const Nodes nodes(p, params);
  return {.rounds = 2 * ceil_log2(nodes.largest()) + ceil_log2(nodes.count())};
}

inline Cost dissemination(int p, std::int64_t, const Params&) { return {.rounds = ceil_log2(p)}; }

inline Cost shared_flat(int p, std::int64_t, const Params&) { return {.rounds = p > 1 ? 1 : 0}; }

}  // namespace mpigraft::barrier::costs

namespace mpigraft::proof {
namespace {

using CostOf = Cost (*)(int p, std::int64_t m, const Params& params);
using CostOfScans = Cost (*)(bool exclusive, int p, std::int64_t m, const Params& params);

/// By the algorithm's name, or without a collective where scan and exscan have one text.
constexpr std::pair<std::string_view, std::variant<CostOf, CostOfScans>> all_stated[]{
    {"scan/binomial", scan::costs::binomial},
    {"scan/hillis_steele", scan::costs::hillis_steele},
    {"scan/butterfly", scan::costs::butterfly},
    {"linear_pipeline", prefix::costs::linear_pipeline},
    {"scan/binary_tree", prefix::costs::binary_tree},
    {"pipelined_binary_tree", prefix::costs::pipelined_binary_tree},
    {"doubly_pipelined_binary_tree", prefix::costs::doubly_pipelined_binary_tree},
    {"two_tree", prefix::costs::two_tree},
    {"transpose", prefix::costs::transpose},
    {"hierarchical", prefix::costs::hierarchical},
    {"smp_tree_a", prefix::costs::smp_tree<node_tree::A>},
    {"smp_tree_b", prefix::costs::smp_tree<node_tree::B>},
    {"lane", prefix::costs::lane},
    {"shared_flat", prefix::costs::shared_flat},
    {"shared_slices", prefix::costs::shared_slices},
    {"exscan/doubling_1", exscan::costs::of_pattern<pattern_1>},
    {"exscan/doubling_two_op", exscan::costs::of_pattern<pattern_two_op>},
    {"exscan/doubling_123", exscan::costs::of_pattern<pattern_123>},
    {"exscan/round_optimal", exscan::costs::of_pattern<pattern_round_optimal>},
    {"exscan/adaptive", exscan::costs::adaptive},
    {"exscan/k_ported", exscan::costs::k_ported},
    {"exscan/scan_then_shift", exscan::costs::scan_then_shift},
    {"bcast/binomial", rooted::binomial<false>},
    {"bcast/linear_pipeline", rooted::along_tree<false, bcast::Chain>},
    {"bcast/split_binary", bcast::costs::split_binary},
    {"bcast/two_tree", bcast::costs::two_tree},
    {"bcast/circulant", rooted::circulant<false>},
    {"bcast/scatter_allgather", bcast::costs::scatter_allgather},
    {"bcast/hierarchical", bcast::costs::hierarchical},
    {"bcast/lane", bcast::costs::lane},
    {"bcast/shared_flat", bcast::costs::shared_flat},
    {"reduce/binomial", rooted::binomial<true>},
    {"reduce/linear_pipeline", reduce::costs::linear_pipeline},
    {"reduce/pipelined_binary_tree", rooted::along_tree<true, BinaryTree>},
    {"reduce/two_tree", reduce::costs::two_tree},
    {"reduce/circulant", rooted::circulant<true>},
    {"reduce/circulant_reduce_scatter_gather", reduce::costs::circulant_reduce_scatter_gather},
    {"reduce/butterfly", reduce::costs::butterfly},
    {"reduce/hierarchical", reduce::costs::hierarchical},
    {"reduce/lane", reduce::costs::lane},
    {"reduce/shared_flat", reduce::costs::shared_flat},
    {"reduce/shared_slices", reduce::costs::shared_slices},
    {"barrier/dissemination", barrier::costs::dissemination},
    {"barrier/hierarchical", barrier::costs::hierarchical},
    {"barrier/shared_flat", barrier::costs::shared_flat},
    {"allreduce/recursive_doubling", allreduce::costs::recursive_doubling},
    {"allreduce/rabenseifner", allreduce::costs::rabenseifner},
    {"allreduce/adaptive", allreduce::costs::adaptive},
    {"allreduce/circulant", allreduce::costs::circulant},
    {"allreduce/ring", allreduce::costs::ring},
    {"allreduce/two_tree", allreduce::costs::two_tree},
    {"allreduce/hierarchical", allreduce::costs::hierarchical},
    {"allreduce/lane", allreduce::costs::lane},
    {"allreduce/shared_flat", allreduce::costs::shared_flat},
    {"allreduce/shared_slices", allreduce::costs::shared_slices},
    {"reduce_scatter/pairwise", reduce_scatter::costs::pairwise},
    {"reduce_scatter/recursive_halving", reduce_scatter::costs::recursive_halving},
    {"reduce_scatter/circulant", reduce_scatter::costs::circulant},
    {"reduce_scatter/hierarchical", reduce_scatter::costs::hierarchical},
    {"reduce_scatter/shared_slices", reduce_scatter::costs::shared_slices},
    {"allgather/ring", allgather::costs::ring},
    {"allgather/neighbor_exchange", allgather::costs::neighbor_exchange},
    {"allgather/bruck", allgather::costs::bruck},
    {"allgather/recursive_doubling", allgather::costs::recursive_doubling},
    {"allgather/circulant", allgather::costs::circulant},
    {"allgather/hierarchical", allgather::costs::hierarchical},
    {"allgather/shared_flat", allgather::costs::shared_flat}};

/// These take fewer rounds than stated if a piece of the vector is empty: then nobody sends it.
constexpr std::string_view skip_empty_pieces[]{
    "bcast/split_binary",
    "bcast/scatter_allgather",
    "reduce/butterfly",
    "reduce/circulant_reduce_scatter_gather",
    "reduce_scatter/pairwise",
    "reduce_scatter/recursive_halving",
    "reduce_scatter/hierarchical",
    "allgather/recursive_doubling",
    "allgather/hierarchical",
};

bool may_take_fewer_rounds(const model::Recording& recording, const AlgorithmInfo& info) {
  const bool has_empty_piece = parts_of(recording.p, recording.m, recording.params).shortest(recording.p) == 0;
  return recording.m > 0 && has_empty_piece && std::ranges::any_of(skip_empty_pieces, [&](std::string_view name) {
           const int algorithm = find_algorithm(name);
           return algorithm >= 0 && info_of(algorithm).text == info.text;
         });
}

using Stated = std::function<Cost(int p, std::int64_t m, const Params& params)>;

/// An algorithm's text names it: mutants that state what another states have its text.
const std::map<void (*)(Program&), Stated>& costs_by_text() {
  static const auto costs = [] {
    std::map<void (*)(Program&), Stated> all;
    const auto add = [&](const std::string& name, const Stated& cost) {
      INFO(name);
      const int algorithm = find_algorithm(name);
      REQUIRE(algorithm >= 0);
      REQUIRE(all.emplace(info_of(algorithm).text, cost).second);
    };
    for (const auto& [name, cost] : all_stated) {
      const std::string known(name);
      if (const auto* of_one = std::get_if<CostOf>(&cost)) {
        add(known, *of_one);
        continue;
      }
      add("scan/" + known, std::bind_front(std::get<CostOfScans>(cost), false));
      add("exscan/" + known, std::bind_front(std::get<CostOfScans>(cost), true));
    }
    return all;
  }();
  return costs;
}

}  // namespace

std::optional<Cost> stated_cost(const AlgorithmInfo& info, int p, std::int64_t m, const Params& params) {
  const auto found = costs_by_text().find(info.text);
  if (found == costs_by_text().end()) return {};
  return found->second(p, m, params);
}

model::Verdict check(const model::Recording& recording, const AlgorithmInfo& info) {
  std::optional<Cost> stated = stated_cost(info, recording.p, recording.m, recording.params);
  const model::Verdict verdict = model::check(recording, info, stated);
  if (verdict.fault != model::Fault::rounds || !may_take_fewer_rounds(recording, info)) return verdict;
  stated->rounds = std::min(stated->rounds, model::cost_of(recording).rounds);
  return model::check(recording, info, stated);
}

const model::Recording& prove(const Listed& A, int p, std::int64_t m, const Params& params, bool in_place,
                              Judge judge) {
  static model::Recording recording;
  recording = model::record(*A.info, p, m, params, in_place, std::move(recording));
  expect(A.name, recording, judge(recording, *A.info));
  return recording;
}

}  // namespace mpigraft::proof
