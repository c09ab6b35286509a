// SPDX-License-Identifier: MIT
#include "config/table/canonical.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "config/table/choice.hpp"
#include "config/table/figures.hpp"
#include "config/table/size.hpp"

namespace mpigraft::table {

namespace {

std::string json_string(std::string_view text) { return nlohmann::json(text).dump(); }

/// The size as JSON: a number if it has no suffix, otherwise a string.
std::string size_text(std::int64_t size) {
  const std::string text = format_size(size);
  return parse_count(text) ? text : json_string(text);
}

/// Builds `{"key": value, ...}` from values that are JSON already.
class Object {
 public:
  void add(std::string_view key, std::string_view value) {
    text_.append(text_.empty() ? "" : ", ").append(json_string(key)).append(": ").append(value);
  }
  void add_text(std::string_view key, std::string_view text) {
    if (!text.empty()) add(key, json_string(text));
  }
  void add_figure(std::string_view key, double figure, double usual, Unit unit) {
    if (figure != usual) add_text(key, format_figure(figure, unit));
  }
  /// "" without keys.
  std::string text() const { return text_.empty() ? "" : '{' + text_ + '}'; }

 private:
  std::string text_;
};

void add_range(Object& rule, std::string_view key, Range range) {
  constexpr Range all;
  if (range == all) return;
  Object bounds;
  if (range.min != all.min) bounds.add("min", size_text(range.min));
  if (range.max != all.max) bounds.add("max", size_text(range.max));
  rule.add(key, bounds.text());
}

void add_conditions(Object& rule, const Conditions& conditions) {
  add_range(rule, "ranks", conditions.ranks);
  add_range(rule, "nodes", conditions.nodes);
  add_range(rule, "ranks_per_node", conditions.ranks_per_node);
  if (conditions.oversubscribed) rule.add("oversubscribed", *conditions.oversubscribed ? "true" : "false");
  add_range(rule, "bytes", conditions.bytes);
}

std::string text_of(const Rule& rule) {
  Object object;
  const std::string_view name = name_of(rule.choice);
  object.add("collective", json_string(name_of(rule.collective)));
  object.add("algorithm", json_string(name.substr(name.find('/') + 1)));
  add_conditions(object, rule);
  if (rule.op != OperatorClass::any) object.add("operator", json_string(name_of(rule.op)));
  if (rule.choice.segment == unsegmented) object.add("segment", json_string("none"));
  if (rule.choice.segment != 0 && rule.choice.segment != unsegmented)
    object.add("segment", size_text(rule.choice.segment));
  if (rule.choice.ports != 0) object.add("ports", std::to_string(rule.choice.ports));
  if (rule.choice.barrier) object.add("barrier", "true");
  object.add_text("note", rule.note);
  return object.text();
}

std::string text_of(const CompositionRule& rule) {
  Object object;
  object.add("collective", json_string(name_of(rule.composition)));
  object.add("algorithm", json_string(name_of(rule.variant)));
  add_conditions(object, rule);
  object.add_text("note", rule.note);
  return object.text();
}

std::string text_of(const Requirements& required) {
  Object object;
  object.add_text("mpi", required.mpi);
  object.add_text("host", required.host);
  return object.text();
}

std::string text_of(const Machine& machine) {
  constexpr Machine usual;
  Object object;
  object.add_figure("latency", machine.latency, usual.latency, Unit::seconds);
  object.add_figure("bandwidth", machine.per_byte, usual.per_byte, Unit::seconds_per_byte);
  object.add_figure("combine", machine.combine_per_byte, usual.combine_per_byte, Unit::seconds_per_byte);
  return object.text();
}

/// The texts of all rules, in their order in the table.
std::vector<std::pair<int, std::string>> rules_of(const Table& table) {
  std::vector<std::pair<int, std::string>> texts;
  for (const Rule& rule : table.rules) texts.emplace_back(rule.place, text_of(rule));
  for (const CompositionRule& rule : table.compositions) texts.emplace_back(rule.place, text_of(rule));
  std::ranges::sort(texts);
  return texts;
}

}  // namespace

std::string canonical(const Table& table) {
  std::string text = "{\n";
  const auto line = [&](const char* key, const std::string& value) {
    if (!value.empty()) text.append("  ").append(json_string(key)).append(": ").append(value).append(",\n");
  };
  const auto text_line = [&](const char* key, const std::string& value) {
    line(key, value.empty() ? "" : json_string(value));
  };
  text_line("$schema", table.schema);
  line("version", "1");
  text_line("site", table.site);
  text_line("note", table.note);
  line("requires", text_of(table.required));
  line("machine", text_of(table.machine));
  line("scratch", table.scratch == Table{}.scratch ? "" : size_text(table.scratch));
  text += "  \"rules\": [";
  const char* separator = "\n    ";
  for (const auto& [place, rule] : rules_of(table)) {
    text.append(separator).append(rule);
    separator = ",\n    ";
  }
  return text + (table.rule_count() == 0 ? "]\n}\n" : "\n  ]\n}\n");
}

}  // namespace mpigraft::table
