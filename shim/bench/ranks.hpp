// SPDX-License-Identifier: MIT
// Barriers of the benchmark's ranks, which also agree on a value: through memory that they share if they can, otherwise
// by messages, with the shim's way of waiting. With more ranks than cores a native barrier takes milliseconds and would
// leave its mark on the call behind it.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "shim/memory/channel.hpp"

namespace mpigraft::bench {

class Ranks {
 public:
  /// Collective. Makes the first intercepted call, from which the shim learns its surroundings.
  Ranks();
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }

  /// Returns when all ranks have come, with the largest of their values.
  std::int64_t barrier(std::int64_t mine = 0);

  /// Makes `values` at rank 0 the element-wise maxima over all ranks. REQUIRES: equal lengths.
  void collect_maxima(std::vector<double>& values);

 private:
  std::int64_t swap(std::int64_t mine, int to, int from);

  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1;
  memory::Channel* channel_ = nullptr;  // that of `comm_`, where all ranks are on one node
};

}  // namespace mpigraft::bench
