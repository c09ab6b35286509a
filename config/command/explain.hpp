// SPDX-License-Identifier: MIT
// The parts of `mpigraft explain`.
#pragma once

#include <optional>
#include <string>

#include "config/analysis/comparison.hpp"
#include "config/analysis/explanation.hpp"

namespace mpigraft::command {

struct ExplainOptions {
  std::optional<Collective> collective;    // none: all, in a map, or a function of mpigraft.h
  std::optional<Composition> composition;  // that function
  std::int64_t ranks = 1, bytes = 0;
  analysis::Placing placing;
  std::string table;
  std::string mpi = "mpich";  // its built-in table applies if there is no other
  bool json = false, all = false, verbose = false;
  std::string html, goal;  // files, or empty
  std::string force;       // as MPIGRAFT_FORCE
  std::string schedule;    // "true": shown instead of the rules; a number: of this rank alone
};

/// The settings, with the table in force or the one at a path.
struct Situation {
  table::Settings settings;
  analysis::LoadedTable loaded;
};

/// What runs and why, in a line.
std::string answer_of(const analysis::LoadedTable& loaded, const analysis::Explanation& explanation);

int show_schedule(const ExplainOptions& options, const Situation& now, const table::Query& query,
                  analysis::Explanation explanation);

/// A map of ranks and bytes.
int show_map(const ExplainOptions& options, const Situation& now);

}  // namespace mpigraft::command
