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

void CheckedJson::add(const JsonValue& where, std::string message, std::string hint, Severity severity) {
  findings_.push_back(
      {pointer_to(root_, where), where.line, where.column, std::move(message), std::move(hint), severity});
}

void CheckedJson::add_at_key(const JsonValue& where, std::string message, std::string hint, Severity severity) {
  findings_.push_back(
      {pointer_to(root_, where), where.key.line, where.key.column, std::move(message), std::move(hint), severity});
}

bool CheckedJson::expect(const JsonValue* value, JsonKind kind, std::string_view hint) {
  if (!value || value->kind == kind) return value != nullptr;
  add(*value, "expected " + std::string(name_of(kind)) + ", found " + std::string(name_of(value->kind)),
      std::string(hint));
  return false;
}

/// False if it is no object, so that there is nothing to look into.
bool CheckedJson::expect_keys(const JsonValue* object, Keys known, Keys required) {
  if (!expect(object, JsonKind::object)) return false;
  std::vector<std::string_view> absent;
  for (const std::string_view key : known)
    if (!find_member(*object, key)) absent.push_back(key);
  for (const JsonValue& item : object->items)
    if (const std::string_view name = item.key.name; std::ranges::find(known, name) == known.end())
      add_at_key(item, "unknown key " + in_quotes(name), hint_for_key(name, known, absent));
  for (const std::string_view key : required)
    if (!find_member(*object, key)) add(*object, "missing key " + in_quotes(key));
  return true;
}

std::string CheckedJson::read_text(const JsonValue* text) { return expect(text, JsonKind::string) ? text->text : ""; }

std::optional<bool> CheckedJson::read_flag(const JsonValue* flag) {
  return expect(flag, JsonKind::boolean) ? std::optional(flag->integer != 0) : std::nullopt;
}

void CheckedJson::read_figure(const JsonValue* figure, Unit unit, double& into) {
  if (!expect(figure, JsonKind::string)) return;
  if (const auto parsed = parse_figure(figure->text, unit))
    into = *parsed;
  else
    add(*figure, in_quotes(figure->text) + (unit == Unit::seconds ? " is not a latency" : " is not a rate"),
        std::string(figure_hint(unit)));
}

std::vector<Finding> CheckedJson::sorted_findings() {
  std::ranges::stable_sort(findings_, {}, [](const Finding& f) { return std::tuple(f.line, f.column); });
  return std::move(findings_);
}

}  // namespace mpigraft::table
