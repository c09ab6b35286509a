// SPDX-License-Identifier: MIT
// The machine as people write it, in a tuning table and for `mpigraft model`: latencies, rates, lists of sizes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/info.hpp"

namespace mpigraft::table {

/// Reads "8,64K" or "1K..64M" (both ends and the powers of two between) or both. Empty if that is malformed, or a size
/// is not from 1 to 2^40.
std::optional<std::vector<std::int64_t>> parse_sizes(std::string_view text);

enum class Unit { seconds, seconds_per_byte };

/// Reads "1.5us" (ns, us, ms, s) in seconds, from 1ns to 1s; or "12.5GB/s" (B/s, KB/s, MB/s, GB/s, decimal) in seconds
/// per byte, from 1KB/s to 1000000GB/s. Empty for anything else.
std::optional<double> parse_figure(std::string_view text, Unit unit);

/// The text that parse_figure reads back, to six digits: "1.5us", "12.5GB/s".
std::string format_figure(double value, Unit unit);

/// How to write what `parse_figure` accepts.
std::string_view figure_hint(Unit unit);

/// "latency 1.5us, bandwidth 12.5GB/s, combine 10GB/s"
std::string describe(const Machine& machine);

}  // namespace mpigraft::table
