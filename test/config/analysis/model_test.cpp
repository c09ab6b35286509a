// SPDX-License-Identifier: MIT
// The model's view of the catalogue: how far the algorithms are from the bounds, and the block sizes that they
// choose themselves from the best ones.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>

#include "algorithms/catalogue.hpp"
#include "config/analysis/prediction.hpp"

using namespace mpigraft;
using namespace mpigraft::analysis;

namespace {

struct Target {
  Collective collective;
  std::int64_t bytes;
  double most;  // that the best algorithm may cost, over the bound
};

/// At 8 bytes each has its fewest rounds, but the bounds have no combining of 8 bytes in every round: up to 0.1 % more.
constexpr std::array<Target, 20> targets{{
    {Collective::bcast, 8, 1.001},          {Collective::bcast, 8 << 10, 1.35},
    {Collective::bcast, 1 << 20, 1.75},     {Collective::bcast, 64 << 20, 1.15},
    {Collective::reduce, 8, 1.001},         {Collective::reduce, 8 << 10, 1.65},
    {Collective::reduce, 1 << 20, 1.65},    {Collective::reduce, 64 << 20, 1.15},
    {Collective::exscan, 8, 1.001},         {Collective::exscan, 8 << 10, 1.95},
    {Collective::exscan, 1 << 20, 4},       {Collective::exscan, 64 << 20, 2.3},
    {Collective::scan, 8, 1.001},           {Collective::scan, 8 << 10, 1.95},
    {Collective::scan, 1 << 20, 4},         {Collective::scan, 64 << 20, 2.3},
    {Collective::allreduce, 8, 1.001},      {Collective::allreduce, 8 << 10, 1.57},
    {Collective::allreduce, 1 << 20, 1.15}, {Collective::allreduce, 64 << 20, 1.01},
}};

}  // namespace

TEST_CASE("nothing is faster than the bounds, and the best is near") {
  Predictor predictor({});
  for (const int ranks : {36, 288})
    for (const auto& [collective, bytes, most] : targets) {
      const Cell cell = predictor.predict(collective, ranks, bytes);
      const Prediction& best = cell.predictions.front();
      CAPTURE(name_of(collective), ranks, bytes, best.algorithm, best.seconds / cell.lower_bound);
      for (const Prediction& each : cell.predictions) CHECK(each.seconds >= cell.lower_bound * (1 - 1e-12));
      CHECK(cell.predictions.back().seconds != not_priced);
      CHECK(best.seconds <= cell.lower_bound * most);
    }
}

/// They differ by less than the grid of sizes that is searched.
TEST_CASE("pipelines choose the best block sizes themselves, and the search finds them") {
  Predictor predictor({});
  for (int i = 0; i < static_cast<int>(listed.size()); ++i) {
    const auto& [name, info] = listed[static_cast<std::size_t>(i)];
    if (!info->pipelined || info->placement == Placement::one) continue;  // those fill pages
    for (const std::int64_t bytes : {64 << 10, 1 << 20, 64 << 20}) {
      const double chosen = predictor.price(i, 36, bytes, 0), best = predictor.best_segment(i, 36, bytes).seconds;
      CAPTURE(name, bytes);
      CHECK(chosen / best == Approx(1).margin(0.02));
    }
  }
}

TEST_CASE("the best block size is the best of all that are searched") {
  Predictor predictor({});
  for (const char* name : {"scan/two_tree", "reduce/circulant", "bcast/linear_pipeline"})
    for (const std::int64_t bytes : {72, 8 << 10, 1 << 20}) {
      const int index = find_algorithm(name);
      double best = predictor.price(index, 36, bytes, bytes);
      for (std::int64_t s = 64; s < bytes; s *= 2)
        for (const std::int64_t segment : {s, s + s / 2})
          best = std::min(best, predictor.price(index, 36, bytes, segment));
      CAPTURE(name, bytes);
      CHECK(predictor.best_segment(index, 36, bytes).seconds == best);
    }
}

TEST_CASE("a run of too many events has no price") {
  Predictor predictor({});
  CHECK(predictor.price(find_algorithm("scan/transpose"), 100'000, 1 << 20, 0) == not_priced);
  CHECK(predictor.price(find_algorithm("scan/butterfly"), 1000, 1 << 20, 0) != not_priced);
}
