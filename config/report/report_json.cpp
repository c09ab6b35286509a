// SPDX-License-Identifier: MIT
// Reports as JSON. The members of a structure are listed once, for the writer and the reader. The writer needs no
// document: the library does this in processes whose memory may be short, where nlohmann's documents end the program in
// their destructors.
#include <type_traits>
#include <utility>

#include "config/report/report.hpp"
#include "config/table/checked_json.hpp"
#include "config/table/choice.hpp"
#include "config/table/size.hpp"
#include "config/table/suggest.hpp"

namespace mpigraft::report {

using table::in_json;
using table::JsonKind;
using table::Unit;

namespace {

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
  void share(std::string_view key, const ReportRow& row) { (*this)(key, share_of(report_, row)); }
  /// True if the file has this member: to a writer, if there is something to tell.
  bool has(std::string_view, bool is_told) const { return is_told; }

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

/// Reads the members of an object, up to the first problem.
class Reader : table::CheckedJson {
 public:
  static constexpr bool reads = true;

  explicit Reader(const table::JsonValue& root) : CheckedJson(root) {}
  std::string problem() const { return findings_.empty() ? "" : table::describe({}, findings_.front()); }
  void expect_kind(std::string_view kind) {
    const table::JsonValue* const found = find_member(root_, "kind");
    if (!found || found->text != kind) add(root_, "this is not a report: \"kind\" is not " + table::in_quotes(kind));
  }

  void operator()(std::string_view key, std::string& text) { text = read_text(at(key)); }
  void operator()(std::string_view key, std::int64_t& count) {
    const table::JsonValue* const value = at(key);
    if (!expect(value, JsonKind::integer)) return;
    count = value->integer;
    if (count < 0) add(*value, std::to_string(count) + " is negative");
  }
  void operator()(std::string_view key, bool& flag) { flag = read_flag(at(key)).value_or(false); }
  void operator()(std::string_view key, Collective& collective) {
    const table::JsonValue* const name = at(key);
    if (!expect(name, JsonKind::string)) return;
    const auto found = table::find_collective(name->text);
    if (!found) add(*name, table::in_quotes(name->text) + " is not a collective");
    collective = found.value_or(Collective{});
  }
  void figure(std::string_view key, double& figure, Unit unit) { read_figure(at(key), unit, figure); }
  template <class T>
  void object(std::string_view key, T& into) {
    if (const table::JsonValue* const value = at(key); expect(value, JsonKind::object)) element(*value, into);
  }
  template <class T>
  void list(std::string_view key, std::vector<T>& all) {
    const table::JsonValue* const value = at(key);
    if (!expect(value, JsonKind::array)) return;
    for (const table::JsonValue& item : value->items) element(item, all.emplace_back());
  }
  template <class T>
  void element(const table::JsonValue& object, T& into) {
    const table::JsonValue* const outer = std::exchange(object_, &object);
    members(*this, into);
    object_ = outer;
  }
  void derived(std::string_view, auto) {}
  void share(std::string_view, const ReportRow&) {}
  bool has(std::string_view key, bool) const { return find_member(*object_, key) != nullptr; }

 private:
  /// The member of the object; none after a problem, such as that it is absent.
  const table::JsonValue* at(std::string_view key) {
    if (!findings_.empty()) return nullptr;
    const table::JsonValue* const found = find_member(*object_, key);
    if (!found) add(*object_, "missing key " + table::in_quotes(key));
    return found;
  }
  void element(const table::JsonValue& value, std::string& text) { text = read_text(&value); }

  const table::JsonValue* object_ = &root_;
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

void members(auto& json, Of<decltype(json), Job>& job) {
  json("program", job.program);
  json("date", job.date);
  json("id", job.id);
  json("user", job.user);
  json("command", job.command);
  json("ranks", job.ranks);
  json.list("hosts", job.hosts);
  json.object("time", job.time);
}

void members(auto& json, Of<decltype(json), Machine>& machine) {
  json.figure("latency", machine.latency, Unit::seconds);
  json.figure("bandwidth", machine.per_byte, Unit::seconds_per_byte);
  json.figure("combine", machine.combine_per_byte, Unit::seconds_per_byte);
}

void members(auto& json, Of<decltype(json), decltype(JobReport::verified)>& verified) {
  for (std::size_t i = 0; i < verified_names.size(); ++i) json(verified_names[i], verified[i]);
}

void members(auto& json, Of<decltype(json), JobReport>& report) {
  json("mpigraft", report.version);
  json.derived("kind", [] { return std::string_view("report"); });
  json("program", report.program);
  json("table", report.table);
  json.object("machine", report.machine);
  json("ranks", report.ranks);
  json("reporting", report.reporting);
  json("first_rank", report.first_rank);
  json.list("jobs", report.jobs);
  json.list("rows", report.rows);
  json.list("learned", report.learned);
  json.object("verified", report.verified);
  json.object("set_up", report.set_up);
  json.object("schedules", report.schedules);
  json("grafted_calls", report.grafted);
  json("calls_in_shared_memory", report.shared);
  json("waits", report.waits);
  json("yields", report.yields);
  json("sleeps", report.sleeps);
  json("calls_on_copies", report.copied);
}

}  // namespace

std::string json_of(const JobReport& report) { return Writer(report).text(); }

ParsedReport parse_report(std::string_view json) {
  const table::JsonDocument document = table::read_json(json, {max_report_bytes});
  if (document.error) return {{}, table::describe({}, *document.error)};
  ParsedReport parsed;
  Reader reader(document.root);
  reader.expect_kind("report");
  members(reader, parsed.report);
  parsed.problem = reader.problem();
  return parsed;
}

}  // namespace mpigraft::report
