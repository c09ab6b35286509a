// SPDX-License-Identifier: MIT
// The model's view of the catalogue: how far the algorithms are from the bounds, and the block sizes that they choose
// themselves from the best ones.
#include "config/analysis/prediction.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>

#include "algorithms/catalogue.hpp"
#include "config/table/size.hpp"
#include "config/table/table.hpp"

using namespace mpigraft;
using namespace mpigraft::analysis;
using namespace mpigraft::table;

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

TEST_CASE("latencies and rates") {
  CHECK(*parse_figure("1.5us", Unit::seconds) == Approx(1.5e-6));
  CHECK(*parse_figure("3ns", Unit::seconds) == Approx(3e-9));
  CHECK(*parse_figure("12.5GB/s", Unit::seconds_per_byte) == Approx(8e-11));
  CHECK(*parse_figure("20MB/s", Unit::seconds_per_byte) == Approx(5e-8));
  for (const char* bad : {"", "1", "us", "0us", "-1us", "1.5GB/s", "nanus", "infs", "0.9ns", "1.1s", "1 us"})
    CHECK_FALSE(parse_figure(bad, Unit::seconds));
  for (const char* bad : {"1us", "0GB/s", "1GB", "999B/s", "infGB/s"})
    CHECK_FALSE(parse_figure(bad, Unit::seconds_per_byte));
}

TEST_CASE("a machine describes itself") {
  CHECK(describe(Machine{}) == "latency 1.5us, bandwidth 12.5GB/s, combine 10GB/s");
  CHECK(describe(Machine{1e-9, 1 / 999e3, 1 / 1e15}) == "latency 1ns, bandwidth 999KB/s, combine 1e+06GB/s");
  CHECK(describe(Machine{1, 1 / 1e6, 1 / 1e3}) == "latency 1s, bandwidth 1MB/s, combine 1KB/s");
}

TEST_CASE("what repeats in a pipeline is priced as a replay of all of it") {
  Predictor predictor({});
  for (int i = 0; i < static_cast<int>(listed.size()); ++i) {
    const auto& [name, info] = listed[static_cast<std::size_t>(i)];
    if (!info->pipelined || info->placement != Placement::any) continue;
    for (const int ranks : {33, 64})
      for (const int blocks : {1024, 1501})
        for (const std::int64_t rest : {0, 104}) {  // bytes that the blocks do not share alike
          CAPTURE(name, ranks, blocks, rest);
          const std::int64_t bytes = std::int64_t{1024} * blocks - rest;
          const double all = predictor.price(i, ranks, bytes, 1024);
          const double found = predictor.price_of_repeats(i, ranks, bytes, 1024);
          // its two trees are in each other's way now and then, for ever
          const bool alike = rest == 0 && blocks % 2 == 0 && name != "scan/two_tree";
          CHECK(found == Approx(all).epsilon(alike ? 1e-7 : 2e-3));
        }
  }
}

TEST_CASE("what does not repeat is priced as it is") {
  Predictor predictor({});
  const int chain = find_algorithm("scan/linear_pipeline");
  for (const auto& [bytes, segment] :
       {std::pair{8 << 10, 4}, {(1 << 17) + 1, 64}}) {  // no element, and none of eight bytes
    CAPTURE(bytes, segment);
    CHECK(predictor.price_of_repeats(chain, 33, bytes, segment) == predictor.price(chain, 33, bytes, segment));
  }
}

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

TEST_CASE("pipelines choose nearly the best block sizes, and are priced with these") {
  Predictor predictor({});
  for (int i = 0; i < static_cast<int>(listed.size()); ++i) {
    const auto& [name, info] = listed[static_cast<std::size_t>(i)];
    if (!info->pipelined || info->placement == Placement::one) continue;  // those fill pages
    for (const std::int64_t bytes : {64 << 10, 1 << 20, 64 << 20}) {
      const double chosen = predictor.price(i, 36, bytes, 0);
      const Prediction found = predictor.priced_pipeline(i, 36, bytes);
      double best = predictor.price(i, 36, bytes, unsegmented);
      const auto near = static_cast<double>(std::min(found.segment, bytes));  // it may be `unsegmented`
      for (double s = 8 * near; s > 64 && s > near / 8; s /= 1.4)
        best = std::min(best, predictor.price_of_repeats(i, 36, bytes, static_cast<std::int64_t>(s) / 8 * 8));
      CAPTURE(name, bytes, found.segment);
      CHECK(chosen / best == Approx(1).margin(0.02));
      CHECK(found.seconds == chosen);
    }
    const double all = predictor.price(i, 288, 64 << 20, 0);  // more blocks than are replayed
    CAPTURE(name);
    CHECK(predictor.priced_pipeline(i, 288, 64 << 20).seconds == Approx(all).epsilon(1e-2));
  }
}

TEST_CASE("a run of too many events has no price") {
  Predictor predictor({});
  CHECK(predictor.price(find_algorithm("scan/transpose"), 100'000, 1 << 20, 0) == not_priced);
  CHECK(predictor.price(find_algorithm("scan/butterfly"), 1000, 1 << 20, 0) != not_priced);
  CHECK(predictor.priced_pipeline(find_algorithm("bcast/linear_pipeline"), 1 << 22, 8).seconds == not_priced);
}
