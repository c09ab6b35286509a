// SPDX-License-Identifier: MIT
// What `mpigraft doctor` finds.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "config/command/output.hpp"
#include "config/table/size.hpp"

namespace mpigraft::command {

/// Collects what is well and what is not, which is told first.
class Findings {
 public:
  void well(const char* topic, const std::string& text) { rows_.push_back({"ok", topic, text}); }
  void problem(const char* topic, const std::string& text) {
    rows_.push_back({"PROBLEM", topic, text});
    ++problems_;
  }
  int print_all() const {
    const std::string verdict = problems_ == 0 ? "nothing wrong" : table::counted(problems_, "problem");
    auto rows = rows_;
    std::stable_partition(rows.begin(), rows.end(), [](const auto& row) { return row[0] != "ok"; });
    return print(columns(rows) + verdict + '\n', problems_ == 0 ? ok : found_problems);
  }

 private:
  std::vector<std::vector<std::string>> rows_;
  int problems_ = 0;
};

/// Looks whether the program, which has these libraries (launcher.hpp), can be grafted. `grafts_family`: MPIs with
/// MPICH's binary interface, too.
void look_at_program(Findings& findings, const std::string& name, const std::string& libraries, bool grafts_family);

}  // namespace mpigraft::command
