// SPDX-License-Identifier: MIT
#include "config/table/checked_json.hpp"

#include <algorithm>
#include <ranges>
#include <tuple>
#include <utility>

#include "config/table/suggest.hpp"

namespace mpigraft::table {

namespace {

/// `absent`: the known keys that are not there yet, because one that is must not come twice.
std::string hint_for_key(std::string_view name, std::span<const std::string_view> known,
                         std::span<const std::string_view> absent) {
  const std::string meant = did_you_mean(name, known);
  const bool has_place = meant.empty() ? !absent.empty() : meant == did_you_mean(name, absent);
  return has_place ? suggestion(name, absent) : "remove it";
}

}  // namespace

CheckedJson::Place CheckedJson::member(const Place& object, std::string_view key) {
  const JsonValue* value = find_member(*object.value, key);
  return value ? Place{value, object.pointer + pointer_step(key)} : Place{};
}

void CheckedJson::add(const Place& where, std::string message, std::string hint, Severity severity) {
  findings_.push_back(
      {where.pointer, where.value->line, where.value->column, std::move(message), std::move(hint), severity});
}

bool CheckedJson::expect(const Place& where, JsonKind kind, std::string_view hint) {
  if (!where) return false;
  if (where.value->kind == kind) return true;
  add(where, "expected " + std::string(name_of(kind)) + ", found " + std::string(name_of(where.value->kind)),
      std::string(hint));
  return false;
}

/// False if it is no object, so that there is nothing to look into.
bool CheckedJson::expect_keys(const Place& object, Keys known, Keys required) {
  if (!expect(object, JsonKind::object)) return false;
  std::vector<std::string_view> absent;
  for (const std::string_view key : known)
    if (!member(object, key)) absent.push_back(key);
  for (const auto& [name, line, column] : object.value->items | std::views::transform(&JsonValue::key))
    if (std::ranges::find(known, name) == known.end())
      findings_.push_back({object.pointer + pointer_step(name), line, column, "unknown key " + in_quotes(name),
                           hint_for_key(name, known, absent)});
  for (const std::string_view key : required)
    if (!member(object, key)) add(object, "missing key " + in_quotes(key));
  return true;
}

std::string CheckedJson::read_text(const Place& text) { return expect(text, JsonKind::string) ? text.value->text : ""; }

std::optional<bool> CheckedJson::read_flag(const Place& flag) {
  return expect(flag, JsonKind::boolean) ? std::optional(flag.value->integer != 0) : std::nullopt;
}

std::vector<Finding> CheckedJson::sorted_findings() {
  std::ranges::stable_sort(findings_, {}, [](const Finding& f) { return std::tuple(f.line, f.column); });
  return std::move(findings_);
}

}  // namespace mpigraft::table
