// SPDX-License-Identifier: MIT
// Counts as people write them: 8, 64K, 1M, 2G, inf; "1 rank", "2 ranks".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mpigraft::table {

/// Decimal digits and nothing else; empty on anything else and on overflow.
std::optional<std::int64_t> parse_count(std::string_view text);

/// A count with an optional suffix K, M or G (1024, either case), or "inf": the largest int64.
std::optional<std::int64_t> parse_size(std::string_view text);

/// The shortest form that parse_size reads back as `bytes` >= 0.
std::string format_size(std::int64_t bytes);

/// "1 rank", "2 ranks".
std::string counted(std::int64_t count, std::string_view what);

}  // namespace mpigraft::table
