// SPDX-License-Identifier: MIT
#include "config/table/table.hpp"

#include <nlohmann/json.hpp>

#include "config/table/size.hpp"

namespace mpigraft::table {

namespace {

using Json = nlohmann::ordered_json;

/// The size: a number if it has no suffix, otherwise a string.
Json json_of(std::int64_t size) {
  const std::string text = format_size(size);
  return parse_count(text) ? Json(size) : Json(text);
}

/// The value with a blank after each comma and colon. What is not UTF-8, perhaps a program's name, is replaced.
std::string in_one_line(const Json& value) {
  if (!value.is_object()) return value.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string text;
  for (const auto& [key, member] : value.items())
    text.append(text.empty() ? "{" : ", ").append(Json(key).dump()).append(": ").append(in_one_line(member));
  return text + '}';
}

void add_text(Json& object, const char* key, std::string_view text) {
  if (!text.empty()) object[key] = text;
}

void add_range(Json& rule, const char* key, Range range) {
  constexpr Range all;
  if (range.min != all.min) rule[key]["min"] = json_of(range.min);
  if (range.max != all.max) rule[key]["max"] = json_of(range.max);
}

std::string text_of(const Rule& rule) {
  const std::string_view name = rule.composition ? name_of(rule.variant) : name_of(rule.choice);
  Json object{{"collective", name_of_call(rule)}, {"algorithm", name.substr(name.find('/') + 1)}};
  add_range(object, "ranks", rule.ranks);
  add_range(object, "nodes", rule.nodes);
  add_range(object, "ranks_per_node", rule.ranks_per_node);
  if (rule.oversubscribed) object["oversubscribed"] = *rule.oversubscribed;
  add_range(object, "bytes", rule.bytes);
  if (rule.op != OperatorClass::any) object["operator"] = name_of(rule.op);
  if (rule.choice.segment == unsegmented) object["segment"] = "none";
  if (rule.choice.segment != 0 && rule.choice.segment != unsegmented) object["segment"] = json_of(rule.choice.segment);
  if (rule.choice.ports != 0) object["ports"] = rule.choice.ports;
  if (rule.choice.barrier) object["barrier"] = true;
  add_text(object, "note", rule.note);
  return in_one_line(object);
}

/// All but the rules.
Json head_of(const Table& table) {
  constexpr Machine usual;
  Json head;
  add_text(head, "$schema", table.schema);
  head["version"] = 1;
  add_text(head, "site", table.site);
  add_text(head, "note", table.note);
  if (table.required.any()) {
    add_text(head["requires"], "mpi", table.required.mpi);
    add_text(head["requires"], "host", table.required.host);
  }
  const auto add_figure = [&](const char* key, double figure, double unless, Unit unit) {
    if (figure != unless) head["machine"][key] = format_figure(figure, unit);
  };
  add_figure("latency", table.machine.latency, usual.latency, Unit::seconds);
  add_figure("bandwidth", table.machine.per_byte, usual.per_byte, Unit::seconds_per_byte);
  add_figure("combine", table.machine.combine_per_byte, usual.combine_per_byte, Unit::seconds_per_byte);
  if (table.scratch != Table{}.scratch) head["scratch"] = json_of(table.scratch);
  return head;
}

}  // namespace

std::string canonical(const Table& table) {
  std::string text = "{\n";
  const Json head = head_of(table);
  for (const auto& [key, value] : head.items())
    text.append("  ").append(Json(key).dump()).append(": ").append(in_one_line(value)).append(",\n");
  text += "  \"rules\": [";
  const char* separator = "\n    ";
  for (const Rule& rule : table.rules) {
    text.append(separator).append(text_of(rule));
    separator = ",\n    ";
  }
  return text + (table.rules.empty() ? "]\n}\n" : "\n  ]\n}\n");
}

}  // namespace mpigraft::table
