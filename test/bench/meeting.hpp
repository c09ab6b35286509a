// SPDX-License-Identifier: MIT
// How the ranks of the benchmark meet and agree: point-to-point, with the shim's way of waiting. With more ranks than
// cores a native barrier takes milliseconds and would leave its mark on the call behind it.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

namespace mpigraft::bench {

class Meeting {
 public:
  /// Collective. Makes the first intercepted call, from which the shim learns its surroundings.
  Meeting();
  ~Meeting() { MPI_Comm_free(&comm_); }
  Meeting(const Meeting&) = delete;
  Meeting& operator=(const Meeting&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }

  /// Returns when all ranks have come: the largest of their values.
  std::int64_t meet(std::int64_t mine = 0);

  /// At rank 0, `values` become the element-wise maxima over all ranks. REQUIRES: equal lengths.
  void collect_maxima(std::vector<double>& values);

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1;
};

}  // namespace mpigraft::bench
