// SPDX-License-Identifier: MIT
// Reports as JSON. The members of a structure are listed once, for the writer and the reader. The writer needs no
// document: the library does this in processes whose memory may be short, where nlohmann's documents end the program in
// their destructors.
#include <nlohmann/json.hpp>
#include <optional>
#include <type_traits>
#include <utility>

#include "config/report/report.hpp"
#include "config/table/choice.hpp"
#include "config/table/json_reader.hpp"
#include "config/table/size.hpp"

namespace mpigraft::report {

using table::JsonKind;
using table::JsonValue;
using table::Unit;

namespace {

std::string in_json(std::string_view text) {
  return nlohmann::json(std::string(text)).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

class Writer {
 public:
  static constexpr bool reads = false;

  explicit Writer(const JobReport& report) : report_(report) {}
  std::string text() && {
    element(report_);
    json_.replace(json_.size() - 2, 2, "\n");
    return std::move(json_);
  }

  void operator()(std::string_view key, std::string_view text) { value(key, in_json(text)); }
  void operator()(std::string_view key, std::int64_t count) { value(key, std::to_string(count)); }
  void operator()(std::string_view key, bool flag) { value(key, flag ? "true" : "false"); }
  void operator()(std::string_view key, Collective collective) { (*this)(key, name_of(collective)); }
  void as_count(std::string_view key, bool flag) { (*this)(key, std::int64_t{flag}); }
  void figure(std::string_view key, double figure, Unit unit) { (*this)(key, table::format_figure(figure, unit)); }
  template <class T>
  void object(std::string_view key, const T& members_of) {
    name(key);
    element(members_of);
  }
  template <class T>
  void list(std::string_view key, const std::vector<T>& all) {
    name(key);
    begin("[");
    for (const T& one : all) {
      if (depth_ == 2) json_ += "\n  ";
      element(one);
    }
    end("]");
  }
  /// What a reader computes again.
  void derived(std::string_view key, auto compute) { (*this)(key, compute()); }
  void share(std::string_view key, const ReportRow& row) {
    if (const std::optional<std::int64_t> share = share_of(report_, row)) (*this)(key, *share);
  }
  /// True if the file has this member: to a writer, if there is something to tell.
  bool has(std::string_view, bool is_told = true) const { return is_told; }

 private:
  void name(std::string_view key) { json_.append(in_json(key)).append(": "); }
  void value(std::string_view key, const std::string& text) {
    name(key);
    json_.append(text).append(", ");
  }
  void element(const std::string& text) { json_.append(in_json(text)).append(", "); }
  template <class T>
  void element(const T& members_of) {
    begin("{");
    members(*this, members_of);
    end("}");
  }
  void begin(const char* bracket) {
    json_ += bracket;
    ++depth_;
  }
  void end(const char* bracket) {
    if (json_.ends_with(", ")) json_.resize(json_.size() - 2);
    json_.append(bracket).append(", ");
    --depth_;
  }

  const JobReport& report_;
  std::string json_;
  int depth_ = 0;  // of brackets
};

/// Reads an object, and keeps the first problem.
class Reader {
 public:
  static constexpr bool reads = true;

  Reader(const JsonValue& object, std::string& problem) : object_(object), problem_(problem) {}

  void operator()(std::string_view key, std::string& text) {
    if (const JsonValue* value = member(key, JsonKind::string)) text = value->text;
  }
  void operator()(std::string_view key, std::int64_t& count) {
    const JsonValue* value = member(key, JsonKind::integer);
    if (value && value->integer < 0) problem(*value, named(key) + " is negative");
    if (value) count = value->integer;
  }
  void operator()(std::string_view key, bool& flag) {
    if (const JsonValue* value = member(key, JsonKind::boolean)) flag = value->integer != 0;
  }
  void as_count(std::string_view key, bool& flag) {
    std::int64_t count = 0;
    (*this)(key, count);
    flag = count != 0;
  }
  void operator()(std::string_view key, Collective& collective) {
    std::string name;
    (*this)(key, name);
    const auto found = table::find_collective(name);
    if (!found) problem(object_, named(key) + " is not a collective");
    collective = found.value_or(Collective{});
  }
  void figure(std::string_view key, double& figure, Unit unit) {
    std::string text;
    (*this)(key, text);
    const auto found = table::parse_figure(text, unit);
    if (!found) problem(object_, named(key) + ": " + std::string(table::figure_hint(unit)));
    figure = found.value_or(1);
  }
  template <class T>
  void object(std::string_view key, T& into) {
    if (const JsonValue* value = member(key, JsonKind::object)) element(*value, into);
  }
  template <class T>
  void list(std::string_view key, std::vector<T>& all) {
    if (const JsonValue* value = member(key, JsonKind::array))
      for (const JsonValue& item : value->items) element(item, all.emplace_back());
  }
  void derived(std::string_view, auto) {}
  void share(std::string_view, const ReportRow&) {}
  bool has(std::string_view key, bool = true) const { return table::find_member(object_, key) != nullptr; }
  void problem(const JsonValue& where, const std::string& what) {
    if (problem_.empty())
      problem_ = ":" + std::to_string(where.line) + ":" + std::to_string(where.column) + ": " + what;
  }

 private:
  static std::string named(std::string_view key) { return '"' + std::string(key) + '"'; }
  /// The member, or nullptr after noting the problem.
  const JsonValue* member(std::string_view key, JsonKind kind) {
    const JsonValue* found = table::find_member(object_, key);
    if (found && found->kind == kind) return found;
    if (found)
      problem(*found, named(key) + " is not " + std::string(name_of(kind)));
    else
      problem(object_, "no " + named(key) + " here");
    return nullptr;
  }
  void element(const JsonValue& item, std::string& text) { text = item.text; }
  template <class T>
  void element(const JsonValue& item, T& into) {
    Reader inside(item, problem_);
    members(inside, into);
  }

  const JsonValue& object_;
  std::string& problem_;
};

/// A structure, which only a reader changes.
template <class Json, class T>
using Of = std::conditional_t<std::remove_reference_t<Json>::reads, T, const T>;

void members(auto& json, Of<decltype(json), RankTimes>& times) {
  json("ranks", times.ranks);
  json("calls", times.calls);
  json("sum_ns", times.sum);
  json("min_ns", times.least);
  json.derived("mean_ns", [&] { return times.mean(); });
  json("max_ns", times.most);
  json("min_call_ns", times.least_call);
  json.derived("mean_call_ns", [&] { return times.mean_call(); });
  json("max_call_ns", times.most_call);
  json.derived("imbalance_percent", [&] { return times.imbalance(); });
}

void members(auto& json, Of<decltype(json), SetUp>& set_up) {
  json("communicators", set_up.communicators);
  json("too_few_calls", set_up.waiting);
  json("due_after_native_ns", set_up.price_ns);
  json.object("time", set_up.times);
}

void members(auto& json, Of<decltype(json), ScheduleUse>& schedules) {
  json("made", schedules.made);
  json("most_kept", schedules.kept);
  json("most_bytes", schedules.bytes);
}

void members(auto& json, Of<decltype(json), ReportRow>& row) {
  json("collective", row.collective);
  json("ranks", row.ranks);
  json("bytes_min", row.bytes_min);
  json("bytes_max", row.bytes_max);
  json("calls", row.calls);
  json("total_bytes", row.total_bytes);
  json("ran", row.ran);
  json("reason", row.reason);
  if (json.has("nonblocking", row.nonblocking)) json("nonblocking", row.nonblocking);
  if (json.has("site", !row.site.empty())) json("site", row.site);
  if (json.has("program", !row.program.empty())) json("program", row.program);
  json.share("share_per_mille", row);
  json.object("time", row.times);
}

void members(auto& json, Of<decltype(json), ReportPair>& pair) {
  json("first", pair.first);
  json("first_operator", pair.first_operator);
  json("second", pair.second);
  json("second_operator", pair.second_operator);
  json.derived("one_call", [&] { return pair.one_call(); });
  if (json.has("program", !pair.program.empty())) json("program", pair.program);
  json("ranks", pair.ranks);
  json("bytes_min", pair.bytes_min);
  json("bytes_max", pair.bytes_max);
  json.as_count("distributes", pair.distributes);
  json("calls", pair.calls);
}

void members(auto& json, Of<decltype(json), Job>& job) {
  json("program", job.program);
  json("date", job.date);
  json("id", job.id);
  json("user", job.user);
  json("command", job.command);
  json("ranks", job.ranks);
  json.list("hosts", job.hosts);
  if (json.has("time", job.time.ranks > 0)) json.object("time", job.time);
}

void members(auto& json, Of<decltype(json), Machine>& machine) {
  json.figure("latency", machine.latency, Unit::seconds);
  json.figure("bandwidth", machine.per_byte, Unit::seconds_per_byte);
  json.figure("combine", machine.combine_per_byte, Unit::seconds_per_byte);
}

void members(auto& json, Of<decltype(json), decltype(JobReport::verified)>& verified) {
  for (std::size_t i = 0; i < verified_names.size(); ++i) json(verified_names[i], verified[i]);
}

/// Earlier reports lack some members.
void members(auto& json, Of<decltype(json), JobReport>& report) {
  json("mpigraft", report.version);
  json.derived("kind", [] { return std::string_view("report"); });
  json("program", report.program);
  json("table", report.table);
  json.object("machine", report.machine);
  json("ranks", report.ranks);
  json("reporting", report.reporting);
  json("first_rank", report.first_rank);
  if (json.has("jobs")) json.list("jobs", report.jobs);
  json.list("rows", report.rows);
  json.list("pairs", report.pairs);
  if (json.has("learned")) json.list("learned", report.learned);
  json.object("verified", report.verified);
  if (json.has("set_up")) json.object("set_up", report.set_up);
  if (json.has("schedules")) json.object("schedules", report.schedules);
  json("grafted_calls", report.grafted);
  json("calls_in_shared_memory", report.shared);
  json("waits", report.waits);
  json("yields", report.yields);
  json("sleeps", report.sleeps);
  if (json.has("calls_on_copies")) json("calls_on_copies", report.copied);
}

}  // namespace

std::string json_of(const JobReport& report) { return Writer(report).text(); }

ParsedReport parse_report(std::string_view json) {
  const table::JsonDocument document = table::read_json(json, max_report_bytes);
  if (document.error) return {{}, table::describe({}, *document.error)};
  ParsedReport parsed;
  Reader reader(document.root, parsed.problem);
  const JsonValue* const kind = table::find_member(document.root, "kind");
  if (!kind || kind->text != "report")
    reader.problem(document.root, "this is not a report: \"kind\" is not \"report\"");
  members(reader, parsed.report);
  std::vector<Job>& jobs = parsed.report.jobs;
  if (jobs.empty()) jobs.push_back({.program = parsed.report.program, .ranks = parsed.report.ranks});
  return parsed;
}

}  // namespace mpigraft::report
