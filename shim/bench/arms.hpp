// SPDX-License-Identifier: MIT
// The arms that are compared: the native call twice, the call as a preloaded program would have it, forced algorithms.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "shim/bench/buffers.hpp"
#include "shim/bench/forced.hpp"

namespace mpigraft::bench {

struct Arm {
  std::string name;
  Form form;
  MPI_Comm comm;
  bool native = false;
};

/// The algorithm of an arm's calls, and the reason for it, by the shim's own decision.
struct Ran {
  std::string algorithm, reason;
};
Ran what_runs(const Arm& arm, const Problem& problem, Buffers& buffers);

struct Selection {
  bool table = false;        // it runs as in a preloaded program: by table and environment
  bool nonblocking = false;  // calls are made by the nonblocking forms
  std::vector<table::Choice> forced;
  std::vector<std::pair<Composition, Variant>> variants;
};

/// "scan_reduce/fused"
inline std::string words_of(Composition composition, Variant variant) {
  return std::string(name_of(composition)).append("/").append(name_of(variant));
}

/// The arms of a run, and a communicator for each algorithm: what is forced is agreed on it once.
class Arms {
 public:
  /// Collective.
  explicit Arms(const Selection& selection);

  /// The arms that can run the problem: native, null, then the grafted ones.
  std::vector<Arm> for_problem(const Problem& problem) const;

 private:
  const Selection selection_;
  std::vector<std::shared_ptr<test::AgreedCopy>> forced_;  // of its algorithms, then of its variants
};

}  // namespace mpigraft::bench
