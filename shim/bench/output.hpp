// SPDX-License-Identifier: MIT
// The figures for people.
#pragma once

#include <cstddef>
#include <string>

#include "shim/bench/cell.hpp"
#include "shim/bench/record.hpp"

namespace mpigraft::bench {

void print_header(const Provenance& from, const Kind& kind);
void print(const Cell& cell);

/// One line for every arm whose result is not native's, on stderr.
void print_differences(const Cell& cell);

/// "cell i of n, time left" on stderr, in one line that is overwritten.
class Progress {
 public:
  Progress(std::size_t cells, bool shown);
  void before(const Problem& problem);
  void clear() const;

 private:
  const std::size_t cells_;
  const bool shown_;
  const double start_;
  std::size_t done_ = 0;
};

}  // namespace mpigraft::bench
