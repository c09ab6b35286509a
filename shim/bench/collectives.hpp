// SPDX-License-Identifier: MIT
// The model of collectives for C++ tests and the benchmark. The shim is linked in: MPI_* are the grafted calls with
// their whole path, and those past all tools are the MPI library's.
#pragma once

#include <vector>

#include "shim/bench/collectives.h"

namespace mpigraft::test {

constexpr ::collective row_of(Collective c) { return static_cast<::collective>(c); }

/// The parts of a vector, with the memory of their lengths.
struct Cut : ::parts {
  /// As even as possible.
  Cut(int rank, int p, std::int64_t n) { cut(this, rank, p, n); }
  /// Rank r's part is from firsts[r] to firsts[r + 1] and is received at element places[r].
  Cut(int rank, const std::vector<std::int64_t>& firsts, const std::vector<std::int64_t>& places) {
    const auto length_of = [&](std::size_t r) { return firsts[r + 1] - firsts[r]; };
    make_parts(this, static_cast<int>(firsts.size()) - 1);
    for (std::size_t r = 0; r + 1 < firsts.size(); ++r) set_part(this, static_cast<int>(r), length_of(r), places[r]);
    first = firsts[static_cast<std::size_t>(rank)], count = length_of(static_cast<std::size_t>(rank));
  }
  ~Cut() { free_parts(this); }
  Cut(const Cut&) = delete;
  Cut& operator=(const Cut&) = delete;
};

}  // namespace mpigraft::test
