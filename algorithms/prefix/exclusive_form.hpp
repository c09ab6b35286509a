// SPDX-License-Identifier: MIT
#pragma once

#include "algorithms/info.hpp"

namespace mpigraft::prefix {

/// What the exclusive form of a scan states: the same.
constexpr AlgorithmInfo exclusive_form(AlgorithmInfo info, std::string_view paper, void (*text)(Program&)) {
  info.collective = Collective::exscan;
  info.paper = paper;
  info.text = text;
  return info;
}

}  // namespace mpigraft::prefix
