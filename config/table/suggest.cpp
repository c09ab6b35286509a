// SPDX-License-Identifier: MIT
#include "config/table/suggest.hpp"

#include <algorithm>
#include <cctype>

namespace mpigraft::table {

namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

/// Edit distance of a and b: insertions, deletions, replacements and swaps of neighbours, ignoring case.
std::size_t distance(std::string_view a, std::string_view b) {
  // row i of the classic table: the distance of a[0, i) to every prefix of b; a swap looks two rows back
  std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before, above);
    std::swap(above, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]))
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

}  // namespace

std::string did_you_mean(std::string_view word, std::span<const std::string_view> known, std::string_view otherwise) {
  constexpr std::size_t longest = 64;  // no known word comes near; keeps hostile input cheap
  if (word.size() > longest) return std::string(otherwise);
  const auto distance_from = [=](std::string_view candidate) { return distance(word, candidate); };
  const auto nearest = std::ranges::min_element(known, {}, distance_from);
  const bool near = nearest != known.end() && distance_from(*nearest) <= std::max<std::size_t>(1, word.size() / 3);
  return near ? "did you mean " + in_quotes(*nearest) + "?" : std::string(otherwise);
}

std::string suggestion(std::string_view word, std::span<const std::string_view> known) {
  return did_you_mean(word, known, std::string(known.size() == 1 ? "write " : "write one of ") + joined(known));
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t shown = 64;
  std::string result = "\"";
  result += text.substr(0, shown);
  result += text.size() > shown ? "...\"" : "\"";
  return result;
}

std::string joined(std::span<const std::string_view> words) {
  std::string result;
  for (const std::string_view word : words) {
    if (!result.empty()) result += ", ";
    result += word;
  }
  return result;
}

std::vector<std::string_view> parts_of(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t end; (end = text.find(separator)) != text.npos; text.remove_prefix(end + 1))
    parts.push_back(text.substr(0, end));
  parts.push_back(text);
  return parts;
}

std::string printable(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7f) {
      result += c;
    } else {
      result += "\\x";
      result += digits[byte >> 4];
      result += digits[byte & 15];
    }
  }
  return result;
}

}  // namespace mpigraft::table
