// SPDX-License-Identifier: MIT
// Barriers of the benchmark's ranks, which also agree on a value. Each is a grafted allreduce: with more ranks than
// cores a native one takes milliseconds and would leave its mark on the call behind it.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "shim/bench/forced.hpp"

namespace mpigraft::bench {

class Ranks {
 public:
  /// Collective. Makes the first intercepted call, from which the shim learns its surroundings.
  Ranks() {
    test::agree_on(MPI_COMM_WORLD);  // before anything is forced
    const table::Settings settings = base::settings();
    copy_.emplace(table::Choice{find_algorithm("allreduce/recursive_doubling")});
    base::settings() = settings;
    MPI_Comm_rank(comm(), &rank_);
    MPI_Comm_size(comm(), &size_);
  }

  int rank() const { return rank_; }
  int size() const { return size_; }

  /// Returns when all ranks have come, with the largest of their values.
  std::int64_t barrier(std::int64_t mine = 0) {
    MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_INT64_T, MPI_MAX, comm());
    return mine;
  }

  /// Makes `values` at rank 0 the element-wise maxima over all ranks. REQUIRES: equal lengths.
  void collect_maxima(std::vector<double>& values) {
    const void* const mine = rank_ == 0 ? MPI_IN_PLACE : values.data();
    PMPI_Reduce(mine, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, MPI_MAX, 0, comm());
  }

 private:
  MPI_Comm comm() const { return copy_->comm(); }

  std::optional<test::Forced> copy_;
  int rank_ = 0, size_ = 1;
};

}  // namespace mpigraft::bench
