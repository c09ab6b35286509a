// SPDX-License-Identifier: MIT
// Entries of a trace in words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "config/report/trace.hpp"

namespace mpigraft::report {

/// A text of a trace: up to n characters, or to NUL.
std::string_view text_in(const char* text, std::size_t n);
template <std::size_t n>
std::string_view text_of(const TraceText<n>& text) {
  return text_in(text.data(), n);
}

/// "12:34:56", local time.
std::string clock_of(std::int64_t seconds);

/// "MPI_COMM_WORLD", "communicator NAME"; empty if it is not known.
std::string communicator_of(const TraceEntry& entry);

/// "MPI_Bcast of 4 MPI_INT (16 bytes), root 0".
std::string words_of(const TraceEntry& entry);

/// Ascending ranks: "0 1 3", "0-7 9".
std::string listed(const std::vector<std::int64_t>& ranks);

}  // namespace mpigraft::report
