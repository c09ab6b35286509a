// SPDX-License-Identifier: MIT
#include "config/report/report.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <functional>
#include <iterator>

#include "algorithms/composition.hpp"
#include "config/table/size.hpp"
#include "config/table/suggest.hpp"

namespace mpigraft::report {

namespace {

template <class... A>
void append(std::string& text, const char* format, A... values) {
  char line[512];
  std::snprintf(line, sizeof line, format, values...);
  text.append(line);
}

double microseconds(std::int64_t ns) { return static_cast<double>(ns) / 1e3; }

std::string scope(const JobReport& report) {
  const std::string all = std::to_string(report.ranks);
  if (report.reporting == report.ranks) return "all " + all + (report.ranks == 1 ? " rank" : " ranks");
  if (report.reporting == 1) return "rank " + std::to_string(report.first_rank) + " of " + all;
  return std::to_string(report.reporting) + " of " + all + " ranks";
}

std::string sizes_of(const ReportRow& row) {
  const std::string least = std::to_string(row.bytes_min);
  return row.bytes_max == row.bytes_min ? least : least + "-" + std::to_string(row.bytes_max);
}

/// "scan", or "iscan" of nonblocking calls.
std::string function_of(const ReportRow& row) {
  return (row.nonblocking ? "i" : "") + std::string(name_of(row.collective));
}

std::string site_of(const ReportRow& row) {
  return row.site.empty() ? "" : ", called at " + table::printable(row.site);
}

std::string percent_of(std::optional<std::int64_t> per_mille) {
  std::string text;
  if (per_mille) append(text, "%.1f%%", static_cast<double>(*per_mille) / 10);
  return per_mille ? text : "-";
}

std::string line_of(const ReportRow& row, std::optional<std::int64_t> share) {
  std::string text;
  append(text, "@ %5lld  %-6s  %-17s  %9lld  %10.3f  %6s  %9.2f  %8lld%%  %-28s  ", static_cast<long long>(row.ranks),
         function_of(row).c_str(), sizes_of(row).c_str(), static_cast<long long>(row.calls),
         microseconds(row.times.sum) / 1e6, percent_of(share).c_str(), microseconds(row.times.mean_call()),
         static_cast<long long>(row.times.imbalance()), row.ran.c_str());
  return text + row.reason + site_of(row) + '\n';
}

std::string verified_note(const JobReport& report) {
  std::string text = "verified";
  for (std::size_t i = 0; i < verified_names.size(); ++i)
    text.append(i == 0 ? ": " : ", ").append(std::to_string(report.verified[i])).append(" ").append(verified_names[i]);
  return text;
}

std::string set_up_note(const JobReport& report) {
  const SetUp& set_up = report.set_up;
  std::string text = "set-up, " + scope(report) + ": " + table::counted(set_up.communicators, "communicator");
  if (set_up.communicators > 0)
    append(text, ", mean %.2f us a rank, max %.2f us", microseconds(set_up.times.mean()),
           microseconds(set_up.times.most));
  if (set_up.waiting > 0)
    append(text, "; not set up, as calls were too few: %lld (due after %.0f us of native calls)",
           static_cast<long long>(set_up.waiting), microseconds(set_up.price_ns));
  return text;
}

std::string schedules_note(const JobReport& report) {
  const auto& [made, kept, bytes] = report.schedules;
  std::string text = "schedules, " + scope(report) + ": " + std::to_string(made) + " made, ";
  append(text, "at most %lld kept by a rank (%.1f KiB)", static_cast<long long>(kept),
         static_cast<double>(bytes) / 1024);
  return text;
}

std::string pair_line(const ReportPair& pair) {
  std::string text = "@ in a row: " + words_of(pair) + " of its result: " + std::to_string(pair.calls) + " times, ";
  append(text, "%lld ranks, %lld-%lld bytes; ", static_cast<long long>(pair.ranks),
         static_cast<long long>(pair.bytes_min), static_cast<long long>(pair.bytes_max));
  text.append("one ").append(pair.one_call()).append(" does both");
  if (pair.is_by_pairs())
    text.append(pair.distributes ? ", as" : " if").append(" the first operator distributes over the second");
  return text + '\n';
}

/// The table of a program's calls, or that of the only one if the name is empty.
std::string calls_of_program(const JobReport& report, std::string_view program) {
  std::string text;
  append(text, "@ %5s  %-6s  %-17s  %9s  %10s  %6s  %9s  %9s  %-28s  %s\n", "ranks", "call", "bytes", "calls", "time s",
         "share", "mean us", "imbalance", "ran", "reason");
  for (const ReportRow& row : report.rows)
    if (row.program == program && (row.calls > 0 || !row.site.empty())) text += line_of(row, share_of(report, row));
  for (const ReportPair& pair : report.pairs)
    if (pair.program == program && pair.calls > 0) text += pair_line(pair);
  return text;
}

bool has_several_programs(const JobReport& report) { return programs_of(report.jobs).size() > 1; }

std::string program_lines(const JobReport& report, const std::string& program) {
  std::vector<Job> jobs;
  std::ranges::copy_if(report.jobs, std::back_inserter(jobs), [&](const Job& job) { return job.program == program; });
  return "@ program " + table::printable(program) + ": " + words_of(jobs) + '\n' + calls_of_program(report, program);
}

/// Says of each row and pair which program it is of, before those of others join them.
void name_program(JobReport& report) {
  const auto name = [&](auto& one) {
    if (one.program.empty()) one.program = report.program;
  };
  std::ranges::for_each(report.rows, name);
  std::ranges::for_each(report.pairs, name);
}

/// Adds to the element of `all` that is like `one`, or appends it.
template <class T, class Add>
void add_to(std::vector<T>& all, const T& one, Add add) {
  const auto same = std::ranges::find_if(all, [&](const T& other) { return other.is_like(one); });
  if (same == all.end())
    all.push_back(one);
  else
    add(*same);
}

template <class T>
void widen(T& into, const T& other) {
  into.bytes_min = std::min(into.bytes_min, other.bytes_min);
  into.bytes_max = std::max(into.bytes_max, other.bytes_max);
  into.calls += other.calls;
}

void add_counts(JobReport& into, const JobReport& other) {
  for (const ReportRow& row : other.rows)
    add_to(into.rows, row, [&](ReportRow& same) {
      widen(same, row);
      same.total_bytes += row.total_bytes;
      same.times.add(row.times);
    });
  for (const ReportPair& pair : other.pairs) add(into, pair);
  into.learned.insert(into.learned.end(), other.learned.begin(), other.learned.end());
  for (std::size_t i = 0; i < into.verified.size(); ++i) into.verified[i] += other.verified[i];
  into.reporting += other.reporting;
  into.set_up.communicators += other.set_up.communicators;
  into.set_up.waiting += other.set_up.waiting;
  into.set_up.price_ns = std::max(into.set_up.price_ns, other.set_up.price_ns);
  into.set_up.times.add(other.set_up.times);
  into.schedules.made += other.schedules.made;
  into.schedules.kept = std::max(into.schedules.kept, other.schedules.kept);
  into.schedules.bytes = std::max(into.schedules.bytes, other.schedules.bytes);
  into.grafted += other.grafted;
  into.shared += other.shared;
  into.waits += other.waits;
  into.yields += other.yields;
  into.sleeps += other.sleeps;
  into.copied += other.copied;
}

}  // namespace

int size_class(std::int64_t bytes) { return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(bytes))); }

bool ReportRow::is_like(const ReportRow& other) const {
  return collective == other.collective && nonblocking == other.nonblocking && ranks == other.ranks &&
         size_class(bytes_min) == size_class(other.bytes_min) && ran == other.ran && reason == other.reason &&
         site == other.site && program == other.program;
}

std::string words_of(const ReportPair& pair) {
  std::string words(name_of(pair.first));
  words.append(" by ").append(pair.first_operator).append(", then ").append(name_of(pair.second));
  return pair.second_operator.empty() ? words : words + " by " + pair.second_operator;
}

std::string_view ReportPair::one_call() const {
  if (!is_by_pairs()) return info_of(one_collective()).function;
  const auto* const composition = std::ranges::find(compositions, second, &CompositionInfo::second);
  return composition == compositions.end() ? info_of(second).function : composition->function;
}

bool ReportPair::is_like(const ReportPair& other) const {
  return first == other.first && second == other.second && ranks == other.ranks &&
         size_class(bytes_min) == size_class(other.bytes_min) && first_operator == other.first_operator &&
         second_operator == other.second_operator && distributes == other.distributes && program == other.program;
}

void add(JobReport& into, const ReportPair& pair) {
  add_to(into.pairs, pair, [&](ReportPair& same) { widen(same, pair); });
}

void merge(JobReport& into, const JobReport& other) {
  add_counts(into, other);
  if (into.jobs.empty())
    into.jobs = other.jobs;
  else if (!other.jobs.empty())
    into.jobs[0].add_rank(other.jobs[0]);
  into.first_rank = std::min(into.first_rank, other.first_rank);
}

void add_job(JobReport& into, JobReport other) {
  into.jobs.insert(into.jobs.end(), other.jobs.begin(), other.jobs.end());
  const std::vector<std::string> programs = programs_of(into.jobs);
  if (programs.size() > 1) {
    name_program(into);
    name_program(other);
  }
  into.program.clear();
  for (const std::string& program : programs) into.program += (into.program.empty() ? "" : ", ") + program;
  into.ranks += other.ranks;
  into.first_rank = std::min(into.first_rank, other.first_rank);
  add_counts(into, other);
}

void sort_rows(JobReport& report) {
  std::ranges::stable_sort(report.rows, std::greater(), [](const ReportRow& row) { return row.times.sum; });
}

std::optional<std::int64_t> share_of(const JobReport& report, const ReportRow& row) {
  const std::int64_t all = time_of(report.jobs, row.program);
  if (all == 0) return {};
  return static_cast<std::int64_t>(1000 * static_cast<double>(row.times.sum) / static_cast<double>(all) + 0.5);
}

std::vector<std::string> notes_of(const JobReport& report) {
  std::vector<std::string> notes;
  const auto add = [&](const char* format, auto... values) { append(notes.emplace_back(), format, values...); };
  for (const std::string& line : report.learned) notes.push_back("learned: " + table::printable(line));
  if (std::ranges::any_of(report.verified, [](std::int64_t n) { return n > 0; }))
    notes.push_back(verified_note(report));
  if (report.set_up.communicators + report.set_up.waiting > 0) notes.push_back(set_up_note(report));
  if (report.schedules.made > 0) notes.push_back(schedules_note(report));
  if (report.grafted > 0)
    add("messages in shared memory: %lld of %lld grafted calls", static_cast<long long>(report.shared),
        static_cast<long long>(report.grafted));
  if (report.waits + report.yields + report.sleeps > 0)
    add("waiting, %s: %lld waits on an oversubscribed node, %lld yields, %lld sleeps", scope(report).c_str(),
        static_cast<long long>(report.waits), static_cast<long long>(report.yields),
        static_cast<long long>(report.sleeps));
  if (report.copied > 0)
    add("buffers in GPU memory, %s: %lld calls ran on copies in host memory", scope(report).c_str(),
        static_cast<long long>(report.copied));
  return notes;
}

std::string text_of(const JobReport& report) {
  std::string text = "@ mpigraft " + report.version + "  " + table::printable(report.program) + "  " + scope(report) +
                     "  table " + report.table + '\n';
  if (has_several_programs(report)) {
    for (const std::string& program : programs_of(report.jobs)) text += program_lines(report, program);
  } else {
    text += "@ " + (report.jobs.size() == 1 ? words_of(report.jobs[0]) : words_of(report.jobs)) + '\n';
    text += calls_of_program(report, "");
  }
  for (const std::string& note : notes_of(report)) text += "@ " + note + '\n';
  return text;
}

}  // namespace mpigraft::report
