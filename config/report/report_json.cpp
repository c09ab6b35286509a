// SPDX-License-Identifier: MIT
// Reports as JSON. Written by hand: the library does this in processes whose memory may be short, where nlohmann's
// documents end the program in their destructors.
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <utility>

#include "config/report/report.hpp"
#include "config/table/choice.hpp"
#include "config/table/figures.hpp"
#include "config/table/json_reader.hpp"

namespace mpigraft::report {

using table::JsonValue;

namespace {

using Counts = std::initializer_list<std::pair<std::string_view, std::int64_t>>;
using Texts = std::initializer_list<std::pair<std::string_view, std::string_view>>;

std::string quoted(std::string_view text) {
  return nlohmann::json(std::string(text)).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void append(std::string& json, Texts members) {
  for (const auto& [key, text] : members) json.append(quoted(key)).append(": ").append(quoted(text)).append(", ");
}

void append(std::string& json, Counts members) {
  for (const auto& [key, count] : members)
    json.append(quoted(key)).append(": ").append(std::to_string(count)).append(", ");
}

/// Ends an object or array: `json` ends in ", " behind its last member, if it has any.
void close(std::string& json, const char* bracket) {
  if (json.ends_with(", ")) json.resize(json.size() - 2);
  json.append(bracket);
}

void append(std::string& json, const ReportRow& row) {
  json += "{";
  append(json, {{"collective", name_of(row.collective)}});
  append(json, {{"ranks", row.ranks},
                {"bytes_min", row.bytes_min},
                {"bytes_max", row.bytes_max},
                {"calls", row.calls},
                {"total_bytes", row.total_bytes}});
  append(json, {{"ran", row.ran}, {"why", row.why}});
  json += "\"time\": {";
  const RankTimes& t = row.times;
  append(json, {{"ranks", t.ranks},
                {"calls", t.calls},
                {"sum_ns", t.sum},
                {"min_ns", t.least},
                {"mean_ns", t.mean()},
                {"max_ns", t.most},
                {"min_call_ns", t.least_call},
                {"mean_call_ns", t.mean_call()},
                {"max_call_ns", t.most_call},
                {"imbalance_percent", t.imbalance()}});
  close(json, "}}");
}

void append(std::string& json, const ReportPair& pair) {
  json += "{";
  append(json, {{"first", name_of(pair.first)},
                {"first_operator", pair.first_operator},
                {"second", name_of(pair.second)},
                {"second_operator", pair.second_operator},
                {"one_call", name_of(pair.one_call())}});
  append(json, {{"ranks", pair.ranks},
                {"bytes_min", pair.bytes_min},
                {"bytes_max", pair.bytes_max},
                {"distributes", pair.distributes ? 1 : 0},
                {"calls", pair.calls}});
  close(json, "}");
}

template <class T>
void append(std::string& json, std::string_view key, const std::vector<T>& all) {
  json.append(quoted(key)).append(": [");
  for (const T& one : all) {
    json += "\n  ";
    append(json, one);
    json += ", ";
  }
  close(json, "], ");
}

/// Walks the JSON tree; keeps the first thing that is wrong.
class ReportReader {
 public:
  ParsedReport read(const JsonValue& root) &&;

 private:
  const JsonValue* member(const JsonValue& object, std::string_view key, table::JsonKind kind);
  std::int64_t count(const JsonValue& object, std::string_view key);
  std::string text(const JsonValue& object, std::string_view key);
  Collective collective(const JsonValue& object, std::string_view key);
  double figure(const JsonValue& machine, std::string_view key, table::Unit unit);
  RankTimes times(const JsonValue& object);
  ReportRow row(const JsonValue& object);
  ReportPair pair(const JsonValue& object);
  template <class F>
  void each(const JsonValue& root, std::string_view key, F read);
  void problem(const JsonValue& where, const std::string& what);

  ParsedReport out_;
};

void ReportReader::problem(const JsonValue& where, const std::string& what) {
  if (out_.problem.empty())
    out_.problem = ":" + std::to_string(where.line) + ":" + std::to_string(where.column) + ": " + what;
}

const JsonValue* ReportReader::member(const JsonValue& object, std::string_view key, table::JsonKind kind) {
  for (std::size_t i = 0; i < object.keys.size(); ++i) {
    if (object.keys[i].name != key) continue;
    if (object.items[i].kind == kind) return &object.items[i];
    problem(object.items[i], "\"" + std::string(key) + "\" is not " + std::string(name_of(kind)));
    return nullptr;
  }
  problem(object, "no \"" + std::string(key) + "\" here");
  return nullptr;
}

std::int64_t ReportReader::count(const JsonValue& object, std::string_view key) {
  const JsonValue* value = member(object, key, table::JsonKind::integer);
  if (!value) return 0;
  if (value->integer < 0) problem(*value, "\"" + std::string(key) + "\" is negative");
  return value->integer;
}

std::string ReportReader::text(const JsonValue& object, std::string_view key) {
  const JsonValue* value = member(object, key, table::JsonKind::string);
  return value ? value->text : "";
}

Collective ReportReader::collective(const JsonValue& object, std::string_view key) {
  const auto found = table::find_collective(text(object, key));
  if (!found) problem(object, "\"" + std::string(key) + "\" is no collective");
  return found.value_or(Collective{});
}

double ReportReader::figure(const JsonValue& machine, std::string_view key, table::Unit unit) {
  const auto value = table::parse_figure(text(machine, key), unit);
  if (!value) problem(machine, "\"" + std::string(key) + "\": " + std::string(table::figure_hint(unit)));
  return value.value_or(1);
}

RankTimes ReportReader::times(const JsonValue& object) {
  const JsonValue* time = member(object, "time", table::JsonKind::object);
  if (!time) return {};
  return {.ranks = count(*time, "ranks"),
          .calls = count(*time, "calls"),
          .sum = count(*time, "sum_ns"),
          .least = count(*time, "min_ns"),
          .most = count(*time, "max_ns"),
          .least_call = count(*time, "min_call_ns"),
          .most_call = count(*time, "max_call_ns")};
}

ReportRow ReportReader::row(const JsonValue& object) {
  return {.collective = collective(object, "collective"),
          .ranks = count(object, "ranks"),
          .bytes_min = count(object, "bytes_min"),
          .bytes_max = count(object, "bytes_max"),
          .calls = count(object, "calls"),
          .total_bytes = count(object, "total_bytes"),
          .ran = text(object, "ran"),
          .why = text(object, "why"),
          .times = times(object)};
}

ReportPair ReportReader::pair(const JsonValue& object) {
  return {.first = collective(object, "first"),
          .second = collective(object, "second"),
          .first_operator = text(object, "first_operator"),
          .second_operator = text(object, "second_operator"),
          .distributes = count(object, "distributes") != 0,
          .ranks = count(object, "ranks"),
          .bytes_min = count(object, "bytes_min"),
          .bytes_max = count(object, "bytes_max"),
          .calls = count(object, "calls")};
}

template <class F>
void ReportReader::each(const JsonValue& root, std::string_view key, F read) {
  if (const JsonValue* all = member(root, key, table::JsonKind::array))
    for (const JsonValue& item : all->items) read(item);
}

ParsedReport ReportReader::read(const JsonValue& root) && {
  JobReport& report = out_.report;
  if (text(root, "kind") != "report") problem(root, "this is no report: \"kind\" is not \"report\"");
  report.version = text(root, "mpigraft");
  report.program = text(root, "program");
  report.table = text(root, "table");
  if (const JsonValue* machine = member(root, "machine", table::JsonKind::object))
    report.machine = {.latency = figure(*machine, "latency", table::Unit::seconds),
                      .per_byte = figure(*machine, "bandwidth", table::Unit::seconds_per_byte),
                      .combine_per_byte = figure(*machine, "combine", table::Unit::seconds_per_byte)};
  report.ranks = count(root, "ranks");
  report.reporting = count(root, "reporting");
  report.first_rank = count(root, "first_rank");
  each(root, "rows", [&](const JsonValue& item) { report.rows.push_back(row(item)); });
  each(root, "pairs", [&](const JsonValue& item) { report.pairs.push_back(pair(item)); });
  if (const JsonValue* verified = member(root, "verified", table::JsonKind::object))
    for (std::size_t i = 0; i < verified_names.size(); ++i) report.verified[i] = count(*verified, verified_names[i]);
  report.grafted = count(root, "grafted_calls");
  report.shared = count(root, "calls_in_shared_memory");
  report.waits = count(root, "waits");
  report.yields = count(root, "yields");
  report.naps = count(root, "naps");
  return std::move(out_);
}

}  // namespace

std::string json_of(const JobReport& report) {
  const Machine& machine = report.machine;
  std::string json = "{";
  append(json,
         {{"mpigraft", report.version}, {"kind", "report"}, {"program", report.program}, {"table", report.table}});
  json += "\"machine\": {";
  append(json, {{"latency", table::format_figure(machine.latency, table::Unit::seconds)},
                {"bandwidth", table::format_figure(machine.per_byte, table::Unit::seconds_per_byte)},
                {"combine", table::format_figure(machine.combine_per_byte, table::Unit::seconds_per_byte)}});
  close(json, "}, ");
  append(json, {{"ranks", report.ranks}, {"reporting", report.reporting}, {"first_rank", report.first_rank}});
  append(json, "rows", report.rows);
  append(json, "pairs", report.pairs);
  json += "\"verified\": {";
  for (std::size_t i = 0; i < verified_names.size(); ++i) append(json, {{verified_names[i], report.verified[i]}});
  close(json, "}, ");
  append(json, {{"grafted_calls", report.grafted},
                {"calls_in_shared_memory", report.shared},
                {"waits", report.waits},
                {"yields", report.yields},
                {"naps", report.naps}});
  close(json, "}\n");
  return json;
}

ParsedReport parse_report(std::string_view json) {
  table::JsonDocument document = table::read_json(json, max_report_bytes);
  if (document.error) return {{}, table::describe({}, *document.error)};
  return ReportReader().read(document.root);
}

}  // namespace mpigraft::report
