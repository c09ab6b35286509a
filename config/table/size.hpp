// SPDX-License-Identifier: MIT
// Numbers as people write them, in a tuning table and for the command: counts such as 64K or inf, latencies, rates.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/info.hpp"

namespace mpigraft::table {

/// Decimal digits and nothing else; empty on anything else and on overflow.
std::optional<std::int64_t> parse_count(std::string_view text);

/// A count with an optional suffix K, M or G (1024, either case), or "inf": the largest int64.
std::optional<std::int64_t> parse_size(std::string_view text);

/// The shortest form that parse_size reads back as `bytes` >= 0.
std::string format_size(std::int64_t bytes);

/// What std::printf would print; %jd is for std::int64_t.
[[gnu::format(printf, 1, 2)]] std::string formatted(const char* format, ...);

/// "1 rank", "2 ranks".
std::string counted(std::int64_t count, std::string_view what);

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
