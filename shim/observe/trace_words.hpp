// SPDX-License-Identifier: MIT
// Handles in words, for the trace.
#pragma once

#include <string_view>

#include "config/report/trace.hpp"
#include "shim/abi/handles.hpp"

namespace mpigraft::observe {

/// Cuts what is too long.
template <std::size_t n>
void put(report::TraceText<n>& into, std::string_view text) {
  into = {};
  text.copy(into.data(), n);
}

/// Count, type, and their bytes where these are known without asking.
void put_elements(report::TraceEntry& entry, std::int64_t count, abi::Type type);

/// "MPI_SUM".
std::string_view name_of(abi::Op op);

}  // namespace mpigraft::observe
