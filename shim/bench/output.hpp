// SPDX-License-Identifier: MIT
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "shim/bench/options.hpp"

namespace mpigraft::bench {

/// The origin of figures, with which a document of them begins. Collective.
nlohmann::ordered_json provenance(int argc, char** argv, int ranks);

/// The document in one line, or with an indent. The command line in it may not be UTF-8.
inline std::string text_of(const nlohmann::ordered_json& document, int indent = -1) {
  return document.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

/// The figures for people and, in JSON, for programs. Only rank 0 has one.
class Output {
 public:
  Output(const Options& options, const nlohmann::ordered_json& provenance);

  void add(const Cell& cell);
  void finish();

  /// True, after telling why, if the file could not be opened or written just now.
  bool failed();

 private:
  std::ostream& json();

  const Options& options_;
  nlohmann::ordered_json document_;
  std::ofstream file_;
};

}  // namespace mpigraft::bench
