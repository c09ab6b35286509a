// SPDX-License-Identifier: MIT
// The arms that are compared: the native call twice, the call as a preloaded program would have it, forced algorithms.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "shim/bench/buffers.hpp"
#include "shim/bench/forced.hpp"

namespace mpigraft::bench {

/// "scan_reduce/fused"
inline std::string words_of(Composition composition, Variant variant) {
  return std::string(name_of(composition)).append("/").append(name_of(variant));
}

/// A way to make calls. If nothing is forced they run natively, or as in a preloaded program: by table and environment.
struct Arm {
  std::string name;
  int form;  // shim/bench/collectives.h
  std::optional<table::Choice> choice = {};
  std::optional<std::pair<Composition, Variant>> variant = {};
  std::shared_ptr<test::AgreedCopy> copy = {};  // where the choice or the variant is forced

  bool is_native() const { return form & native_form; }
  MPI_Comm comm() const { return copy ? copy->comm() : MPI_COMM_WORLD; }

  /// True if nothing is forced, or something for this collective or composition.
  bool is_for(const Problem& problem) const;
  bool can_run(const Problem& problem) const;
};

/// Lets the ranks agree on what the arms force, on a communicator each. Collective.
void agree_on(std::vector<Arm>& arms);

/// The algorithm of an arm's calls, and the reason for it, as the shim decides about a call that this makes.
/// Collective.
struct Ran {
  std::string algorithm, reason;
};
Ran what_runs(const Arm& arm, const Problem& problem, Buffers& buffers);

}  // namespace mpigraft::bench
