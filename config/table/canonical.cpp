// SPDX-License-Identifier: MIT
#include "config/table/canonical.hpp"

#include <nlohmann/json.hpp>

#include "config/table/choice.hpp"
#include "config/table/json_reader.hpp"
#include "config/table/size.hpp"
#include "config/table/table.hpp"

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
  std::string text() const { return '{' + text_ + '}'; }

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
  if (conditions.crowded) rule.add("crowded", *conditions.crowded ? "true" : "false");
  add_range(rule, "bytes", conditions.bytes);
}

}  // namespace

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
  if (!rule.note.empty()) object.add("note", json_string(rule.note));
  return object.text();
}

std::string text_of(const CompositionRule& rule) {
  Object object;
  object.add("collective", json_string(name_of(rule.composition)));
  object.add("algorithm", json_string(name_of(rule.way)));
  add_conditions(object, rule);
  if (!rule.note.empty()) object.add("note", json_string(rule.note));
  return object.text();
}

namespace {

/// The texts of all rules, in their order in the table.
std::vector<std::string> rules_of(const Table& table) {
  std::vector<std::string> texts(table.rule_count());
  for (const Rule& rule : table.rules) texts[static_cast<std::size_t>(rule.place)] = text_of(rule);
  for (const CompositionRule& rule : table.compositions) texts[static_cast<std::size_t>(rule.place)] = text_of(rule);
  return texts;
}

/// An object with those of the keys that `object` has. Their values are strings, and stay as they are.
std::string strings_of(const JsonValue& object, std::initializer_list<const char*> keys) {
  Object result;
  for (const char* key : keys)
    if (const JsonValue* value = find_member(object, key)) result.add(key, json_string(value->text));
  return result.text();
}

}  // namespace

std::string canonical(std::string_view table) { return canonical(table, rules_of(parse_table(table).table)); }

std::string canonical(std::string_view table, const std::vector<std::string>& rules) {
  const JsonValue root = read_json(table).root;
  const ParsedTable parsed = parse_table(table);
  std::string text = "{\n";
  const auto line = [&](const char* key, const std::string& value) {
    text.append("  ").append(json_string(key)).append(": ").append(value).append(",\n");
  };
  const auto string_line = [&](const char* key) {
    if (const JsonValue* value = find_member(root, key)) line(key, json_string(value->text));
  };
  string_line("$schema");
  line("version", "1");
  string_line("site");
  string_line("note");
  if (const JsonValue* required = find_member(root, "requires"))
    line("requires", strings_of(*required, {"mpi", "host"}));
  if (const JsonValue* machine = find_member(root, "machine"))
    line("machine", strings_of(*machine, {"latency", "bandwidth", "combine"}));
  if (find_member(root, "scratch")) line("scratch", size_text(parsed.table.scratch));
  text += "  \"rules\": [";
  const char* separator = "\n    ";
  for (const std::string& rule : rules) {
    text.append(separator).append(rule);
    separator = ",\n    ";
  }
  return text + (rules.empty() ? "]\n}\n" : "\n  ]\n}\n");
}

}  // namespace mpigraft::table
