// SPDX-License-Identifier: MIT
// The figures for programs: CSV and JSON.
#pragma once

#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "config/table/table.hpp"
#include "test/bench/cell.hpp"

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
  std::uint64_t seed;
};
/// Collective.
Provenance provenance(int argc, char** argv, int ranks, std::uint64_t seed);

/// The origin as the head of a document.
nlohmann::ordered_json document_of(const Provenance& from);

/// Files are named as in Options.
class Record {
 public:
  Record(const Provenance& from, const std::string& csv, const std::string& json);

  /// Adds a cell, which reaches the CSV file at once: a run that is cut short leaves what it has measured.
  void add(const Cell& cell);
  void finish();

  /// The problem with a file, or "".
  const std::string& problem() const { return problem_; }

 private:
  class File {
   public:
    void open(const std::string& name, std::string& problem);
    void write(const std::string& text, std::string& problem);

   private:
    std::string name_;
    std::ofstream file_;
  };

  const int ranks_;
  nlohmann::ordered_json document_;
  File csv_, json_;
  std::string problem_;
};

}  // namespace mpigraft::bench
