// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>

namespace mpigraft::bench {

/// The origin of figures, with which a document of them begins. Collective.
nlohmann::ordered_json provenance(int argc, char** argv, int ranks);

/// The document in one line, or with an indent. The command line in it may not be UTF-8.
inline std::string text_of(const nlohmann::ordered_json& document, int indent = -1) {
  return document.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace mpigraft::bench
