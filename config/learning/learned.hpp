// SPDX-License-Identifier: MIT
// Rules of a table, from the races of a job.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "config/learning/races.hpp"

namespace mpigraft::learning {

/// Notes of rules that were learned begin so: calls that such a rule decides are not learned again.
inline constexpr std::string_view learned_mark = "learned: ";

/// The outcome of a race, and where it was.
struct Learned {
  Kind kind;
  std::int64_t ranks = 0, nodes = 1;
  table::Range ranks_per_node;
  bool crowded = false;
  table::Choice before, choice;
  std::vector<table::Choice> tried = {};  // with both of them
  double gain = 1;                        // 1 where what ran before stays
  std::int64_t calls = 0;
};

/// One line for people: what was tried, what won, by how much.
std::string describe(const Learned& one);

/// A table's text with these rules before its own, in the place of older learned ones for the same calls, in the
/// canonical form. `where` (program, host, date) goes into the notes. REQUIRES: a table without errors.
std::string with_learned(std::string_view table, const std::vector<Learned>& all, const std::string& where);

/// The learned rules of `more` in the same way, but where `table` has one for the same calls that was learned from as
/// many calls.
std::string merged(std::string_view table, std::string_view more);

}  // namespace mpigraft::learning
