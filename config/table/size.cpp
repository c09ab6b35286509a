// SPDX-License-Identifier: MIT
#include "config/table/size.hpp"

#include <charconv>
#include <limits>

namespace mpigraft::table {

namespace {
constexpr std::int64_t infinite = std::numeric_limits<std::int64_t>::max();
constexpr std::string_view suffixes = "KMG";
}  // namespace

std::optional<std::int64_t> parse_count(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool negative = text.starts_with('-');  // from_chars reads a minus sign, but no plus sign and no space
  if (error != std::errc{} || end != text.data() + text.size() || negative) return {};
  return value;
}

std::optional<std::int64_t> parse_size(std::string_view text) {
  if (text == "inf") return infinite;
  if (text.empty()) return {};
  constexpr std::string_view either_case = "KMGkmg";
  const std::size_t suffix = either_case.find(text.back());
  if (suffix == either_case.npos) return parse_count(text);
  const int shift = 10 * static_cast<int>(suffix % suffixes.size() + 1);
  const auto count = parse_count(text.substr(0, text.size() - 1));
  if (!count || *count > infinite >> shift) return {};
  return *count << shift;
}

std::string format_size(std::int64_t bytes) {
  if (bytes == infinite) return "inf";
  std::string suffix;
  for (const char next : suffixes) {
    if (bytes == 0 || bytes % 1024 != 0) break;
    bytes /= 1024;
    suffix = next;
  }
  return std::to_string(bytes) + suffix;
}

std::string counted(std::int64_t count, std::string_view what) {
  return std::to_string(count).append(" ").append(what).append(count == 1 ? "" : "s");
}

}  // namespace mpigraft::table
