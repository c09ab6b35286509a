// SPDX-License-Identifier: MIT
// From the JSON tree to the table: the schema in code.
#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "algorithms/catalogue.hpp"
#include "config/table/checked_json.hpp"
#include "config/table/choice.hpp"
#include "config/table/size.hpp"
#include "config/table/suggest.hpp"
#include "config/table/table.hpp"

namespace mpigraft::table {

namespace {

using Words = std::string_view;
constexpr std::array<Words, 8> table_keys{"$schema",  "version", "site",    "note",
                                          "requires", "machine", "scratch", "rules"};
constexpr std::array<Words, 2> table_required{"version", "rules"};
constexpr std::array<Words, 2> requirement_keys{"mpi", "host"};
constexpr std::array<Words, 3> machine_keys{"latency", "bandwidth", "combine"};
constexpr std::array<Words, 12> rule_keys{"collective", "algorithm",      "ranks",          "bytes",
                                          "nodes",      "ranks_per_node", "oversubscribed", "note",
                                          "operator",   "segment",        "ports",          "barrier"};
constexpr std::span composition_keys = std::span(rule_keys).first<8>();
constexpr std::span rule_required = std::span(rule_keys).first<2>();
constexpr std::array<std::pair<Words, Words>, 7> other_rule_keys{{{"ppn", "ranks_per_node"},
                                                                  {"message_size", "bytes"},
                                                                  {"msg_size", "bytes"},
                                                                  {"comm_size", "ranks"},
                                                                  {"nprocs", "ranks"},
                                                                  {"segment_size", "segment"},
                                                                  {"op", "operator"}}};
constexpr std::array<Words, 2> range_keys{"min", "max"};

/// A kind of number: what it is called, how it is written as a string, and what to write for it and for a range of it.
struct Number {
  Words what;
  std::optional<std::int64_t> (*parse)(Words);
  std::int64_t least;
  const char *hint, *range_hint = "";
};
constexpr Number a_number{"a number", parse_size, 0, R"(write 16 or "inf")",
                          R"(write one such as {"min": 2, "max": 8})"};
constexpr Number a_size{"a size", parse_size, 0, R"(write 65536, "64K", "1M" or "inf")",
                        R"(write one such as {"min": 64, "max": "64K"})"};
constexpr Number a_segment{"a segment", parse_segment, 1, R"(write 8192, "8K" or "none")"};

/// Collects every defect, not only the first.
class TableReader : CheckedJson {
 public:
  explicit TableReader(JsonValue& root) : CheckedJson(root) {
    for (JsonValue& value : root.items)
      if (value.key.name == "rules")
        for (JsonValue& rule : value.items) use_our_keys(rule);
  }

  ParsedTable read() && {
    if (expect_keys(&root_, table_keys, table_required)) {
      read_version(find_member(root_, "version"));
      out_.table.schema = read_text(find_member(root_, "$schema"));
      out_.table.note = read_text(find_member(root_, "note"));
      out_.table.site = read_text(find_member(root_, "site"));
      read_requirements(find_member(root_, "requires"));
      read_machine(find_member(root_, "machine"));
      if (const JsonValue* const scratch = find_member(root_, "scratch"))
        out_.table.scratch = read_number(*scratch, a_size).value_or(out_.table.scratch);
      const JsonValue* const rules = find_member(root_, "rules");
      if (expect(rules, JsonKind::array))
        for (const JsonValue& rule : rules->items) read_rule(rule);
    }
    for (Finding& finding : sorted_findings())
      (finding.severity == Severity::note ? out_.notes : out_.findings).push_back(std::move(finding));
    return std::move(out_);
  }

 private:
  void read_version(const JsonValue* version) {
    if (expect(version, JsonKind::integer) && version->integer != 1)
      add(*version, "version " + std::to_string(version->integer) + " is not supported", "this mpigraft reads 1");
  }

  void read_requirements(const JsonValue* required) {
    if (!expect_keys(required, requirement_keys, {})) return;
    out_.table.required.mpi = read_pattern(find_member(*required, "mpi"));
    out_.table.required.host = read_pattern(find_member(*required, "host"));
  }

  std::string read_pattern(const JsonValue* pattern) {
    if (pattern && pattern->kind == JsonKind::string && pattern->text.empty())
      add(*pattern, "an empty pattern matches nothing", "write \"*\", or remove it");
    return read_text(pattern);
  }

  void read_machine(const JsonValue* figures) {
    if (!expect_keys(figures, machine_keys, {})) return;
    Machine& machine = out_.table.machine;
    read_figure(find_member(*figures, "latency"), Unit::seconds, machine.latency);
    read_figure(find_member(*figures, "bandwidth"), Unit::seconds_per_byte, machine.per_byte);
    read_figure(find_member(*figures, "combine"), Unit::seconds_per_byte, machine.combine_per_byte);
  }

  void use_our_keys(JsonValue& rule) {
    for (std::size_t i = 0; i < rule.items.size(); ++i) {
      JsonKey& key = rule.items[i].key;
      const auto other = std::ranges::find(other_rule_keys, key.name, &std::pair<Words, Words>::first);
      if (other == other_rule_keys.end()) continue;
      const bool twice = find_member(rule, other->second) != nullptr;
      std::string words = in_quotes(key.name) + " is called " + in_quotes(other->second) + " here";
      if (twice) words += ", and is there already";
      add_at_key(rule.items[i], words, twice ? "keep one of them" : "", twice ? Severity::error : Severity::note);
      if (twice)
        rule.items.erase(rule.items.begin() + static_cast<std::ptrdiff_t>(i--));
      else
        key.written = std::exchange(key.name, other->second);
    }
  }

  void read_rule(const JsonValue& value) {
    const JsonValue* const name = find_member(value, "collective");
    const auto composition = name ? find_composition(name->text) : std::nullopt;
    Rule& rule = out_.table.rules.emplace_back();
    rule.line = value.line;
    if (!expect_keys(&value, composition ? Keys(composition_keys) : Keys(rule_keys), rule_required)) return;
    read_conditions(value, rule);
    rule.note = read_text(find_member(value, "note"));
    rule.composition = composition;
    if (composition)
      rule.variant = read_variant(find_member(value, "algorithm"), *composition);
    else
      read_collective_rule(value, rule);
  }

  Variant read_variant(const JsonValue* name, Composition composition) {
    if (!expect(name, JsonKind::string)) return Variant::fused;
    const Resolved resolved = resolve_variant(composition, name->text);
    if (!resolved.problem.empty()) add(*name, resolved.problem, resolved.hint);
    return resolved.variant;
  }

  void read_collective_rule(const JsonValue& value, Rule& rule) {
    const auto collective = read_collective(find_member(value, "collective"));
    rule.collective = collective.value_or(Collective{});
    const JsonValue* const bytes = find_member(value, "bytes");
    if (collective && !info_of(*collective).moves_data() && bytes)
      add(*bytes, std::string(name_of(*collective)) + " carries no data", "remove it");
    rule.op = read_operator(find_member(value, "operator"), collective);
    rule.choice = read_choice(value, collective, rule.op);
    if (const JsonValue* const segment = find_member(value, "segment"))
      rule.choice.segment = read_number(*segment, a_segment).value_or(0);
    rule.choice.ports = read_ports(find_member(value, "ports"));
    rule.choice.barrier = read_flag(find_member(value, "barrier")).value_or(false);
  }

  void read_conditions(const JsonValue& rule, Conditions& into) {
    into.ranks = read_count(find_member(rule, "ranks"));
    into.bytes = read_range(find_member(rule, "bytes"), a_size);
    into.nodes = read_count(find_member(rule, "nodes"));
    into.ranks_per_node = read_count(find_member(rule, "ranks_per_node"));
    into.oversubscribed = read_flag(find_member(rule, "oversubscribed"));
  }

  /// A range, or one number: "nodes": 1.
  Range read_count(const JsonValue* value) {
    if (!value || value->kind != JsonKind::integer) return read_range(value, a_number);
    const auto count = read_number(*value, {"a number", parse_size, 0, "write 16"});
    return count ? Range{*count, *count} : Range{};
  }

  Range read_range(const JsonValue* value, const Number& of) {
    Range range;
    if (!expect(value, JsonKind::object, of.range_hint)) return range;
    expect_keys(value, range_keys, {});
    if (const JsonValue* const min = find_member(*value, "min")) range.min = read_number(*min, of).value_or(range.min);
    if (const JsonValue* const max = find_member(*value, "max")) range.max = read_number(*max, of).value_or(range.max);
    if (range.min > range.max)
      add(*value, "empty range: min " + format_size(range.min) + " is above max " + format_size(range.max));
    return range;
  }

  std::optional<std::int64_t> read_number(const JsonValue& value, const Number& of) {
    std::optional<std::int64_t> parsed;
    if (value.kind == JsonKind::string) parsed = of.parse(value.text);
    if (value.kind == JsonKind::integer) parsed = value.integer;
    if (parsed && *parsed >= of.least) return parsed;
    const std::string what(of.what);
    add(value,
        parsed                           ? what + " is at least " + std::to_string(of.least)
        : value.kind == JsonKind::string ? in_quotes(value.text) + " is not " + what
                                         : "expected " + what + ", found " + std::string(name_of(value.kind)),
        of.hint);
    return {};
  }

  std::optional<Collective> read_collective(const JsonValue* name) {
    if (!expect(name, JsonKind::string)) return {};
    const auto found = find_collective(name->text);
    if (!found) add(*name, "unknown collective " + in_quotes(name->text), suggestion(name->text, call_names));
    if (found && name->text != name_of(*found))
      add(*name, in_quotes(name->text) + " is called " + in_quotes(name_of(*found)) + " here", "", Severity::note);
    return found;
  }

  OperatorClass read_operator(const JsonValue* name, std::optional<Collective> collective) {
    if (!expect(name, JsonKind::string)) return OperatorClass::any;
    if (collective && !info_of(*collective).combines())
      add(*name, std::string(name_of(*collective)) + " applies no operator", "remove it");
    const auto found = std::ranges::find(operator_names, name->text);
    if (found != operator_names.end()) return static_cast<OperatorClass>(found - operator_names.begin());
    add(*name, "unknown operator class " + in_quotes(name->text), suggestion(name->text, operator_names));
    return OperatorClass::any;
  }

  int read_ports(const JsonValue* ports) {
    if (!ports) return 0;
    if (ports->kind == JsonKind::integer && 0 < ports->integer && ports->integer <= max_ports)
      return static_cast<int>(ports->integer);
    add(*ports, "this is not a number of ports", "write 1 to " + std::to_string(max_ports));
    return 0;
  }

  Choice read_choice(const JsonValue& rule, std::optional<Collective> collective, OperatorClass op) {
    const JsonValue* const name = find_member(rule, "algorithm");
    if (!expect(name, JsonKind::string) || !collective) return {};
    const Resolved resolved = resolve_algorithm(*collective, name->text);
    if (!resolved.note.empty()) add(*name, resolved.note, "", Severity::note);
    if (!resolved.problem.empty()) {
      add(*name, resolved.problem, resolved.hint);
      return {};
    }
    for (const char* const option : {"segment", "ports", "barrier"})
      if (const JsonValue* const given = find_member(rule, option);
          given && (option != Words("barrier") || given->kind != JsonKind::boolean || given->integer != 0))
        if (const std::string refused = refusal(resolved.choice, option); !refused.empty())
          add(*given, refused, "remove it");
    if (needs_commutative(resolved.choice) && op == OperatorClass::noncommutative)
      add(*name, in_quotes(name->text) + " needs a commutative operator", "write \"operator\": \"commutative\"");
    if (needs_commutative(resolved.choice) && op == OperatorClass::any)
      add(*name, in_quotes(name->text) + " needs a commutative operator, so the rule matches no other",
          "write \"operator\": \"commutative\" to say so", Severity::note);
    return resolved.choice;
  }

  ParsedTable out_;
};

}  // namespace

ParsedTable parse_table(JsonValue& root) { return TableReader(root).read(); }

ParsedTable parse_table(std::string_view text) {
  JsonDocument document = read_json(text);
  return document.error ? ParsedTable{{}, {*std::move(document.error)}, {}} : parse_table(document.root);
}

}  // namespace mpigraft::table
