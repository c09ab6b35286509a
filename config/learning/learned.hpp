// SPDX-License-Identifier: MIT
// Makes rules of a table from the trials of a job.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/learning/trials.hpp"

namespace mpigraft::learning {

/// The outcome of a trial, and the communicator that ran it.
struct Learned {
  Kind kind;
  std::int64_t ranks = 0, nodes = 1;
  table::Range ranks_per_node;
  bool oversubscribed = false;
  table::Choice before, choice;
  std::vector<table::Choice> tried = {};  // includes `before` and `choice`
  double gain = 1;                        // 1 if `before` stays
  std::int64_t calls = 0;
};

/// One line that says what was tried, what won, and by how much.
std::string describe(const Learned& one);

/// One line about calls of floating-point numbers of which only `tried` of `all` candidates may be tried, because the
/// others would change the last bits of results.
std::string describe_forbidden(const Kind& kind, std::int64_t ranks, int tried, int all);

/// A table with these rules before its own. They replace older learned rules for the same calls. `where` (program,
/// host, date) goes into their notes.
table::Table with_learned(table::Table table, const std::vector<Learned>& all, const std::string& where);

/// The same with the learned rules of the table `more`, except those for which `table` has a rule for the same calls
/// that was learned from at least as many.
table::Table merged(table::Table table, const table::Table& more);

}  // namespace mpigraft::learning
