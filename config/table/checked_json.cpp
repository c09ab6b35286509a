// SPDX-License-Identifier: MIT
#include "config/table/checked_json.hpp"

#include <algorithm>
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

void CheckedJson::add(const Place& where, std::string message, std::string hint) {
  findings_.push_back({where.pointer, where.value->line, where.value->column, std::move(message), std::move(hint)});
}

void CheckedJson::note(const Place& where, std::string message, std::string hint) {
  notes_.push_back(
      {where.pointer, where.value->line, where.value->column, std::move(message), std::move(hint), Severity::note});
}

bool CheckedJson::expect(const Place& where, JsonKind kind, std::string hint) {
  if (where.value->kind == kind) return true;
  add(where, "expected " + std::string(name_of(kind)) + ", found " + std::string(name_of(where.value->kind)),
      std::move(hint));
  return false;
}

/// False if it is no object, so that there is nothing to look into.
bool CheckedJson::expect_keys(const Place& object, Keys known, Keys required) {
  if (!expect(object, JsonKind::object)) return false;
  std::vector<std::string_view> absent;
  for (const std::string_view key : known)
    if (!member(object, key)) absent.push_back(key);
  for (const JsonKey& key : object.value->keys)
    if (std::ranges::find(known, key.name) == known.end())
      findings_.push_back({object.pointer + pointer_step(key.name), key.line, key.column,
                           "unknown key " + in_quotes(key.name), hint_for_key(key.name, known, absent)});
  for (const std::string_view key : required)
    if (!member(object, key)) add(object, "missing key " + in_quotes(key));
  return true;
}

std::string CheckedJson::read_text(const Place& text) {
  return text && expect(text, JsonKind::string) ? text.value->text : "";
}

std::vector<Finding> CheckedJson::sorted_findings() {
  std::ranges::stable_sort(findings_, {}, [](const Finding& f) { return std::tuple(f.line, f.column); });
  return std::move(findings_);
}

}  // namespace mpigraft::table
