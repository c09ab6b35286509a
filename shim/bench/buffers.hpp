// SPDX-License-Identifier: MIT
// The calls: the data of a cell, and a call on them.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/composition.hpp"
#include "shim/bench/collectives.hpp"

namespace mpigraft::bench {

/// Elements and how they are combined.
struct Kind {
  std::string type, op;  // as the options --type and --op name them
  ::kind model;

  std::int64_t element_bytes() const { return static_cast<std::int64_t>(model.size); }
};
Kind make_kind(const std::string& type, const std::string& op);
/// With a type and an operator of the program, which it frees at its end.
::kind& matrices();

inline constexpr int root = 0;  // of the collectives that have one

/// A cell of the benchmark; equal on all ranks.
struct Problem {
  Collective collective;  // of a composition the second
  Kind kind;
  int count;
  std::optional<Composition> composition = {};  // a scan by the operator, and of its result the collective by MPI_MAX

  std::string_view name() const { return composition ? name_of(*composition) : name_of(collective); }
  std::int64_t bytes() const { return count * kind.element_bytes(); }
};

/// One rank's buffers. All arms of a cell share them, so that none has the better memory.
class Buffers {
 public:
  Buffers(const Problem& problem, int rank);

  /// Returns MPI's error code.
  int call(int form, MPI_Comm comm);

  /// Makes a native call, whose result all calls must leave from now on.
  void expect_native_result();
  /// True if a call leaves this rank's part of the expected result, bit for bit.
  bool gives_expected(int form, MPI_Comm comm);

 private:
  int call_composition(int form, MPI_Comm comm);
  int fresh_call(int form, MPI_Comm comm);

  const Problem problem_;
  const int rank_;
  std::vector<char> send_, scanned_, recv_, expected_;
  std::optional<test::Cut> cut_;  // where the collective has parts
};

}  // namespace mpigraft::bench
