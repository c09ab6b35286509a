// SPDX-License-Identifier: MIT
// Reports from JSON.
#include <utility>

#include "config/report/report.hpp"
#include "config/table/choice.hpp"
#include "config/table/figures.hpp"
#include "config/table/json_reader.hpp"

namespace mpigraft::report {

using table::JsonValue;

namespace {

/// Walks the JSON tree, and keeps the first problem.
class ReportReader {
 public:
  ParsedReport read(const JsonValue& root) &&;

 private:
  /// The member, or nullptr. It is a problem if a `needed` one is missing, or if one is of another kind.
  const JsonValue* member(const JsonValue& object, std::string_view key, table::JsonKind kind, bool needed = true);
  std::int64_t count(const JsonValue& object, std::string_view key);
  std::string text(const JsonValue& object, std::string_view key);
  Collective collective(const JsonValue& object, std::string_view key);
  double figure(const JsonValue& machine, std::string_view key, table::Unit unit);
  RankTimes times(const JsonValue& object);
  ReportRow row(const JsonValue& object);
  ReportPair pair(const JsonValue& object);
  SetUp set_up(const JsonValue& object);
  Job job(const JsonValue& object);
  std::string text_if_there(const JsonValue& object, std::string_view key);
  template <class F>
  void each(const JsonValue& root, std::string_view key, F read);
  void problem(const JsonValue& where, const std::string& what);

  ParsedReport out_;
};

void ReportReader::problem(const JsonValue& where, const std::string& what) {
  if (out_.problem.empty())
    out_.problem = ":" + std::to_string(where.line) + ":" + std::to_string(where.column) + ": " + what;
}

const JsonValue* ReportReader::member(const JsonValue& object, std::string_view key, table::JsonKind kind,
                                      bool needed) {
  for (std::size_t i = 0; i < object.keys.size(); ++i) {
    if (object.keys[i].name != key) continue;
    if (object.items[i].kind == kind) return &object.items[i];
    problem(object.items[i], "\"" + std::string(key) + "\" is not " + std::string(name_of(kind)));
    return nullptr;
  }
  if (needed) problem(object, "no \"" + std::string(key) + "\" here");
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

std::string ReportReader::text_if_there(const JsonValue& object, std::string_view key) {
  const JsonValue* value = member(object, key, table::JsonKind::string, false);
  return value ? value->text : "";
}

Collective ReportReader::collective(const JsonValue& object, std::string_view key) {
  const auto found = table::find_collective(text(object, key));
  if (!found) problem(object, "\"" + std::string(key) + "\" is not a collective");
  return found.value_or(Collective{});
}

double ReportReader::figure(const JsonValue& machine, std::string_view key, table::Unit unit) {
  const auto value = table::parse_figure(text(machine, key), unit);
  if (!value) problem(machine, "\"" + std::string(key) + "\": " + std::string(table::figure_hint(unit)));
  return value.value_or(1);
}

template <class F>
void ReportReader::each(const JsonValue& root, std::string_view key, F read) {
  if (const JsonValue* all = member(root, key, table::JsonKind::array))
    for (const JsonValue& item : all->items) read(item);
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
  const JsonValue* const nonblocking = member(object, "nonblocking", table::JsonKind::boolean, false);
  return {.collective = collective(object, "collective"),
          .nonblocking = nonblocking && nonblocking->integer != 0,
          .ranks = count(object, "ranks"),
          .bytes_min = count(object, "bytes_min"),
          .bytes_max = count(object, "bytes_max"),
          .calls = count(object, "calls"),
          .total_bytes = count(object, "total_bytes"),
          .ran = text(object, "ran"),
          .reason = text(object, "reason"),
          .site = text_if_there(object, "site"),
          .program = text_if_there(object, "program"),
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
          .calls = count(object, "calls"),
          .program = text_if_there(object, "program")};
}

Job ReportReader::job(const JsonValue& object) {
  Job job{.program = text(object, "program"),
          .date = text(object, "date"),
          .id = text(object, "id"),
          .user = text(object, "user"),
          .command = text(object, "command"),
          .ranks = count(object, "ranks")};
  each(object, "hosts", [&](const JsonValue& item) { job.hosts.push_back(item.text); });
  if (member(object, "time", table::JsonKind::object, false)) job.time = times(object);
  return job;
}

SetUp ReportReader::set_up(const JsonValue& object) {
  return {.communicators = count(object, "communicators"),
          .waiting = count(object, "too_few_calls"),
          .price_ns = count(object, "due_after_native_ns"),
          .times = times(object)};
}

ParsedReport ReportReader::read(const JsonValue& root) && {
  JobReport& report = out_.report;
  if (text(root, "kind") != "report") problem(root, "this is not a report: \"kind\" is not \"report\"");
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
  if (member(root, "jobs", table::JsonKind::array, false))  // only later reports have it
    each(root, "jobs", [&](const JsonValue& item) { report.jobs.push_back(job(item)); });
  if (report.jobs.empty()) report.jobs.push_back({.program = report.program, .ranks = report.ranks});
  each(root, "rows", [&](const JsonValue& item) { report.rows.push_back(row(item)); });
  each(root, "pairs", [&](const JsonValue& item) { report.pairs.push_back(pair(item)); });
  if (const JsonValue* learned = member(root, "learned", table::JsonKind::array, false))  // only later reports have it
    for (const JsonValue& item : learned->items) report.learned.push_back(item.text);
  if (const JsonValue* verified = member(root, "verified", table::JsonKind::object))
    for (std::size_t i = 0; i < verified_names.size(); ++i) report.verified[i] = count(*verified, verified_names[i]);
  if (const JsonValue* value = member(root, "set_up", table::JsonKind::object, false))  // only later reports have it
    report.set_up = set_up(*value);
  if (const JsonValue* value = member(root, "schedules", table::JsonKind::object, false))  // only later reports have it
    report.schedules = {count(*value, "made"), count(*value, "most_kept"), count(*value, "most_bytes")};
  report.grafted = count(root, "grafted_calls");
  report.shared = count(root, "calls_in_shared_memory");
  report.waits = count(root, "waits");
  report.yields = count(root, "yields");
  report.sleeps = count(root, "sleeps");
  if (member(root, "calls_on_copies", table::JsonKind::integer, false))  // only later reports have it
    report.copied = count(root, "calls_on_copies");
  return std::move(out_);
}

}  // namespace

ParsedReport parse_report(std::string_view json) {
  table::JsonDocument document = table::read_json(json, max_report_bytes);
  if (document.error) return {{}, table::describe({}, *document.error)};
  return ReportReader().read(document.root);
}

}  // namespace mpigraft::report
