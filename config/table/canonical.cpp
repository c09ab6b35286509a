// SPDX-License-Identifier: MIT
// Tables as text. The library writes them too, where memory may be short, and there nlohmann's objects end the program
// in their destructors.
#include "config/table/json_reader.hpp"
#include "config/table/size.hpp"
#include "config/table/table.hpp"

namespace mpigraft::table {

namespace {

/// The members of an object, as text.
class Members {
 public:
  explicit Members(std::string_view separator = ", ") : separator_(separator) {}

  const std::string& text() const { return text_; }
  std::string as_object() const { return '{' + text_ + '}'; }

  void add(std::string_view key, const std::string& json) {
    text_.append(text_.empty() ? "" : separator_).append(in_json(key)).append(": ").append(json);
  }
  void add_text(std::string_view key, std::string_view text) {
    if (!text.empty()) add(key, in_json(text));
  }
  /// A number if it has no suffix, otherwise a string.
  void add_size(std::string_view key, std::int64_t size) {
    const std::string text = format_size(size);
    add(key, parse_count(text) ? text : in_json(text));
  }
  void add_object(std::string_view key, const Members& members) {
    if (!members.text_.empty()) add(key, members.as_object());
  }
  void add_range(std::string_view key, Range range) {
    constexpr Range all;
    Members ends;
    if (range.min != all.min) ends.add_size("min", range.min);
    if (range.max != all.max) ends.add_size("max", range.max);
    add_object(key, ends);
  }

 private:
  std::string_view separator_;
  std::string text_;
};

std::string text_of(const Rule& rule) {
  const std::string_view name = rule.composition ? name_of(rule.variant) : name_of(rule.choice);
  Members members;
  members.add_text("collective", name_of_call(rule));
  members.add_text("algorithm", name.substr(name.find('/') + 1));
  members.add_range("ranks", rule.ranks);
  members.add_range("nodes", rule.nodes);
  members.add_range("ranks_per_node", rule.ranks_per_node);
  if (rule.oversubscribed) members.add("oversubscribed", *rule.oversubscribed ? "true" : "false");
  members.add_range("bytes", rule.bytes);
  if (rule.op != OperatorClass::any) members.add_text("operator", name_of(rule.op));
  if (rule.choice.segment == unsegmented)
    members.add_text("segment", "none");
  else if (rule.choice.segment != 0)
    members.add_size("segment", rule.choice.segment);
  if (rule.choice.ports != 0) members.add("ports", std::to_string(rule.choice.ports));
  if (rule.choice.barrier) members.add("barrier", "true");
  members.add_text("note", rule.note);
  return members.as_object();
}

/// All but the rules.
Members head_of(const Table& table) {
  constexpr Machine usual;
  Members head(",\n  "), required, machine;
  head.add_text("$schema", table.schema);
  head.add("version", "1");
  head.add_text("site", table.site);
  head.add_text("note", table.note);
  required.add_text("mpi", table.required.mpi);
  required.add_text("host", table.required.host);
  head.add_object("requires", required);
  const auto add_figure = [&](const char* key, double figure, double unless, Unit unit) {
    if (figure != unless) machine.add_text(key, format_figure(figure, unit));
  };
  add_figure("latency", table.machine.latency, usual.latency, Unit::seconds);
  add_figure("bandwidth", table.machine.per_byte, usual.per_byte, Unit::seconds_per_byte);
  add_figure("combine", table.machine.combine_per_byte, usual.combine_per_byte, Unit::seconds_per_byte);
  head.add_object("machine", machine);
  if (table.scratch != Table{}.scratch) head.add_size("scratch", table.scratch);
  return head;
}

}  // namespace

std::string canonical(const Table& table) {
  std::string text = "{\n  " + head_of(table).text() + ",\n  \"rules\": [";
  const char* separator = "\n    ";
  for (const Rule& rule : table.rules) {
    text.append(separator).append(text_of(rule));
    separator = ",\n    ";
  }
  return text + (table.rules.empty() ? "]\n}\n" : "\n  ]\n}\n");
}

}  // namespace mpigraft::table
