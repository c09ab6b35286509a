// SPDX-License-Identifier: MIT
// The figures for programs, in JSON.
#pragma once

#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "config/table/table.hpp"
#include "shim/bench/cell.hpp"

namespace mpigraft::bench {

/// The origin of figures.
struct Provenance {
  std::string date, host, mpi, command;
  double load;  // of the last minute, before the run: other work disturbs
  std::int64_t cores;
  int ranks;
  bool oversubscribed;  // more ranks than cores
  std::int64_t nodes;
  table::Range ranks_per_node;
};
/// Collective.
Provenance provenance(int argc, char** argv, int ranks);

/// The origin as the head of a document.
nlohmann::ordered_json document_of(const Provenance& from);

class Record {
 public:
  /// The file is named as in Options.
  Record(const Provenance& from, const std::string& file);

  void add(const Cell& cell);
  void finish();

  /// The problem with the file, or "".
  const std::string& problem() const { return problem_; }

 private:
  void fail();

  const std::string name_;
  nlohmann::ordered_json document_;
  std::ofstream file_;
  std::string problem_;
};

}  // namespace mpigraft::bench
