// SPDX-License-Identifier: MIT
// What `mpigraft model` is told: lists of sizes, latencies and rates as people write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace mpigraft {

/// "8,64K" or "1K..64M" (both ends and the powers of two between) or both; every size at least 1.
std::optional<std::vector<std::int64_t>> parse_sizes(std::string_view text);

enum class Unit { seconds, seconds_per_byte };

/// "1.5us" (ns, us, ms, s) in seconds, or "12.5GB/s" (B/s, KB/s, MB/s, GB/s, decimal) in seconds per byte; above zero.
std::optional<double> parse_figure(std::string_view text, Unit unit);

}  // namespace mpigraft
