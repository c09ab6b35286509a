// SPDX-License-Identifier: MIT
#include "config/table/size.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <cstdarg>
#include <cstdio>
#include <limits>
#include <utility>

#include "config/table/suggest.hpp"

namespace mpigraft::table {

namespace {

constexpr std::int64_t infinite = std::numeric_limits<std::int64_t>::max();
constexpr std::string_view suffixes = "KMG";

using Suffix = std::pair<std::string_view, double>;
constexpr std::array<Suffix, 4> times{{{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}}};
constexpr std::array<Suffix, 4> rates{{{"B/s", 1}, {"KB/s", 1e3}, {"MB/s", 1e6}, {"GB/s", 1e9}}};

/// Writes the value in the largest unit in which it is at least 1.
std::string words(double value, const std::array<Suffix, 4>& units) {
  auto unit = units.rbegin();
  while (unit + 1 != units.rend() && value < 0.9999995 * unit->second) ++unit;
  return formatted("%.6g", value / unit->second).append(unit->first);
}

bool append(std::vector<std::int64_t>& sizes, std::string_view item) {
  const std::size_t dots = item.find("..");
  const auto first = parse_size(item.substr(0, dots));
  const auto last = dots == item.npos ? first : parse_size(item.substr(dots + 2));
  if (!first || !last || *first < 1 || *last < *first || *last > std::int64_t{1} << 40) return false;
  sizes.push_back(*first);
  if (*last == *first) return true;
  for (auto s = std::bit_floor(static_cast<std::uint64_t>(*first)) * 2; s < static_cast<std::uint64_t>(*last); s *= 2)
    sizes.push_back(static_cast<std::int64_t>(s));
  sizes.push_back(*last);
  return true;
}

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

std::string formatted(const char* format, ...) {
  std::va_list values, again;
  va_start(values, format);
  va_copy(again, values);
  std::string text(static_cast<std::size_t>(std::vsnprintf(nullptr, 0, format, values)), '\0');
  std::vsnprintf(text.data(), text.size() + 1, format, again);
  va_end(again);
  va_end(values);
  return text;
}

std::string counted(std::int64_t count, std::string_view what) {
  return std::to_string(count).append(" ").append(what).append(count == 1 ? "" : "s");
}

std::optional<std::vector<std::int64_t>> parse_sizes(std::string_view text) {
  std::vector<std::int64_t> sizes;
  for (const std::string_view item : parts_of(text, ','))
    if (!append(sizes, item)) return {};
  return sizes;
}

std::optional<double> parse_figure(std::string_view text, Unit unit) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return {};
  const std::string_view suffix(end, static_cast<std::size_t>(text.data() + text.size() - end));
  const auto [least, most] = unit == Unit::seconds ? std::pair{1e-9, 1.0} : std::pair{1e3, 1e15};
  for (const auto& [name, scale] : unit == Unit::seconds ? times : rates)
    if (suffix == name && least <= value * scale && value * scale <= most)
      return unit == Unit::seconds ? value * scale : 1 / (value * scale);
  return {};
}

std::string format_figure(double value, Unit unit) {
  return unit == Unit::seconds ? words(value, times) : words(1 / value, rates);
}

std::string_view figure_hint(Unit unit) {
  return unit == Unit::seconds ? "write \"1.5us\", with ns, us, ms or s, from 1ns to 1s"
                               : "write \"12.5GB/s\", with KB/s, MB/s or GB/s, from 1KB/s to 1000000GB/s";
}

std::string describe(const Machine& machine) {
  return "latency " + format_figure(machine.latency, Unit::seconds) + ", bandwidth " +
         format_figure(machine.per_byte, Unit::seconds_per_byte) + ", combine " +
         format_figure(machine.combine_per_byte, Unit::seconds_per_byte);
}

}  // namespace mpigraft::table
