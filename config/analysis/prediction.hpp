// SPDX-License-Identifier: MIT
// The linear cost model's view of a collective: the time of every algorithm, and a bound that none can beat.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithms/info.hpp"
#include "algorithms/model/recording.hpp"

namespace mpigraft::analysis {

inline constexpr double not_priced = std::numeric_limits<double>::infinity();

struct Prediction {
  std::string_view algorithm;
  double seconds;        // or not_priced: its run is too large to record
  std::int64_t segment;  // bytes of a pipeline's segment; 0: not a pipeline
};

struct Cell {
  Collective collective;
  int ranks;
  std::int64_t bytes;
  double lower_bound;                   // seconds
  std::vector<Prediction> predictions;  // fastest first
};

/// Number of algorithms that are priced for each cell of a collective.
std::size_t priced_algorithms(Collective collective);

/// Prices algorithms from their recorded events, root 0.
class Predictor {
 public:
  /// `begins` gets the name of every algorithm before it is priced.
  explicit Predictor(const Machine& machine, std::function<void(std::string_view)> begins = {})
      : machine_(machine), begins_(std::move(begins)) {}

  /// Prices every algorithm of the collective that runs on any placement.
  Cell predict(Collective collective, int ranks, std::int64_t bytes);
  /// Seconds that algorithm `index` of the catalogue takes with this segment, or not_priced.
  double price(int index, int ranks, std::int64_t bytes, std::int64_t segment);
  /// The same without replaying each of many equal blocks: once a pipeline is full, more blocks take proportionally
  /// more time. Shorter runs, up to an eighth of the length, have to show that exactly, otherwise all is replayed.
  /// Blocks that differ by an element add an error far below its share of a block.
  double price_of_repeats(int index, int ranks, std::int64_t bytes, std::int64_t segment);
  /// The price of a pipeline as it cuts the vector itself.
  Prediction priced_pipeline(int index, int ranks, std::int64_t bytes);

 private:
  struct Steady {
    double seconds, per_block;
  };
  /// The time of `blocks` blocks of the same length. `seconds` is not_priced if shorter runs do not show it.
  Steady steady(int index, int ranks, std::int64_t blocks, std::int64_t block_bytes);

  Machine machine_;
  std::function<void(std::string_view)> begins_;
  model::Recording memory_{};  // its memory serves every run
};

/// Lower bound, in seconds, for every algorithm on one-ported, full-duplex ranks that either combine or communicate.
/// The element that leaves its rank last waits until the rest of the vector has left, and then takes q = ceil(log2 p)
/// start-ups to be everywhere. An element of some result takes k applications, p-1 or in an exclusive scan p-2, so some
/// rank combines k/p of the vector. Apart from that it has the transfer that the table of collectives states.
double lower_bound(Collective collective, int ranks, std::int64_t bytes, const Machine& machine);

}  // namespace mpigraft::analysis
