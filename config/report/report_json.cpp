// SPDX-License-Identifier: MIT
// Reports as JSON, written by hand: the library does this in processes whose memory may be short, where nlohmann's
// documents end the program in their destructors.
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "config/report/report.hpp"
#include "config/table/figures.hpp"

namespace mpigraft::report {

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

void append(std::string& json, const RankTimes& t) {
  json += "\"time\": {";
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
  close(json, "}, ");
}

void append(std::string& json, const SetUp& set_up) {
  json += "\"set_up\": {";
  append(json, {{"communicators", set_up.communicators},
                {"too_few_calls", set_up.waiting},
                {"due_after_native_ns", set_up.price_ns}});
  append(json, set_up.times);
  close(json, "}, ");
}

void append(std::string& json, const ScheduleUse& schedules) {
  json += "\"schedules\": {";
  append(json, {{"made", schedules.made}, {"most_kept", schedules.kept}, {"most_bytes", schedules.bytes}});
  close(json, "}, ");
}

void append(std::string& json, const ReportRow& row, std::optional<std::int64_t> share) {
  json += "{";
  append(json, {{"collective", name_of(row.collective)}});
  append(json, {{"ranks", row.ranks},
                {"bytes_min", row.bytes_min},
                {"bytes_max", row.bytes_max},
                {"calls", row.calls},
                {"total_bytes", row.total_bytes}});
  append(json, {{"ran", row.ran}, {"reason", row.reason}});
  if (row.nonblocking) json += "\"nonblocking\": true, ";
  if (!row.site.empty()) append(json, {{"site", row.site}});
  if (!row.program.empty()) append(json, {{"program", row.program}});
  if (share) append(json, {{"share_per_mille", *share}});
  append(json, row.times);
  close(json, "}");
}

void append(std::string& json, const ReportPair& pair) {
  json += "{";
  append(json, {{"first", name_of(pair.first)},
                {"first_operator", pair.first_operator},
                {"second", name_of(pair.second)},
                {"second_operator", pair.second_operator},
                {"one_call", pair.one_call()}});
  if (!pair.program.empty()) append(json, {{"program", pair.program}});
  append(json, {{"ranks", pair.ranks},
                {"bytes_min", pair.bytes_min},
                {"bytes_max", pair.bytes_max},
                {"distributes", pair.distributes ? 1 : 0},
                {"calls", pair.calls}});
  close(json, "}");
}

void append(std::string& json, const Job& job) {
  json += "{";
  append(json,
         {{"program", job.program}, {"date", job.date}, {"id", job.id}, {"user", job.user}, {"command", job.command}});
  append(json, {{"ranks", job.ranks}});
  json += "\"hosts\": [";
  for (const std::string& host : job.hosts) json += quoted(std::string_view(host)) + ", ";
  close(json, "], ");
  if (job.time.ranks > 0) append(json, job.time);
  close(json, "}");
}

void append(std::string& json, const std::string& text) { json += quoted(std::string_view(text)); }

template <class T>
void append(std::string& json, std::string_view key, const std::vector<T>& all, auto... facts) {
  json.append(quoted(key)).append(": [");
  for (const T& one : all) {
    json += "\n  ";
    append(json, one, facts(one)...);
    json += ", ";
  }
  close(json, "], ");
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
  append(json, "jobs", report.jobs);
  append(json, "rows", report.rows, [&](const ReportRow& row) { return share_of(report, row); });
  append(json, "pairs", report.pairs);
  append(json, "learned", report.learned);
  json += "\"verified\": {";
  for (std::size_t i = 0; i < verified_names.size(); ++i) append(json, {{verified_names[i], report.verified[i]}});
  close(json, "}, ");
  append(json, report.set_up);
  append(json, report.schedules);
  append(json, {{"grafted_calls", report.grafted},
                {"calls_in_shared_memory", report.shared},
                {"waits", report.waits},
                {"yields", report.yields},
                {"sleeps", report.sleeps},
                {"calls_on_copies", report.copied}});
  close(json, "}\n");
  return json;
}

}  // namespace mpigraft::report
