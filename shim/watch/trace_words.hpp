// SPDX-License-Identifier: MIT
// Handles in words, for the trace.
#pragma once

#include <string_view>

#include "config/report/trace.hpp"
#include "shim/abi/handles.hpp"

namespace mpigraft::watch {

/// Copies `text`, and cuts it off if it is longer than n.
template <std::size_t n>
void put(report::TraceText<n>& into, std::string_view text) {
  into = {};
  text.copy(into.data(), n);
}

/// Writes count, type, and their size in bytes, or -1 if that is not known.
void put_elements(report::TraceEntry& entry, std::int64_t count, abi::Type type);

}  // namespace mpigraft::watch
