// SPDX-License-Identifier: MIT
// Reports in words.
#include <algorithm>
#include <iterator>

#include "config/report/report.hpp"
#include "config/table/size.hpp"
#include "config/table/suggest.hpp"

namespace mpigraft::report {

using table::formatted;

namespace {

constexpr std::size_t told_hosts = 4;

double microseconds(std::int64_t ns) { return static_cast<double>(ns) / 1e3; }
double seconds(std::int64_t ns) { return static_cast<double>(ns) / 1e9; }

/// "8", or "8-64".
std::string bytes_of(const ReportRow& row) {
  const std::string least = std::to_string(row.bytes_min);
  return row.bytes_max == row.bytes_min ? least : least + "-" + std::to_string(row.bytes_max);
}

std::string words_of_hosts(const std::vector<std::string>& hosts) {
  std::string text = table::counted(std::ssize(hosts), "host") + ":";
  for (std::size_t i = 0; i < std::min(told_hosts, hosts.size()); ++i)
    text += (i == 0 ? " " : ", ") + table::printable(hosts[i]);
  return hosts.size() > told_hosts ? text + ", ..." : text;
}

/// "job 17 of user, begun 2026-01-31T12:00:00Z, on 2 hosts: a, b; wall time 12.500 s: ./program 1 2", as far as known.
std::string words_of(const Job& job) {
  std::string text = "job";
  if (!job.id.empty()) text += " " + table::printable(job.id);
  if (!job.user.empty()) text += " of " + table::printable(job.user);
  if (!job.date.empty()) text += ", begun " + table::printable(job.date);
  if (!job.hosts.empty()) text += ", on " + words_of_hosts(job.hosts);
  text += formatted("; wall time %.3f s", seconds(job.time.most));
  return job.command.empty() ? text : text + ": " + table::printable(job.command);
}

/// "3 jobs, 12 ranks, wall time 37.500 s, begun 2026-01-31T12:00:00Z to 2026-02-01T12:00:00Z"; these are sums.
std::string words_of(const std::vector<Job>& jobs) {
  std::int64_t ranks = 0, ns = 0;
  std::string first, last;
  for (const Job& job : jobs) {
    ranks += job.ranks;
    ns += job.time.most;
    if (job.date.empty()) continue;
    first = first.empty() ? job.date : std::min(first, job.date);
    last = std::max(last, job.date);
  }
  std::string text = table::counted(std::ssize(jobs), "job") + ", " + table::counted(ranks, "rank") +
                     formatted(", wall time %.3f s", seconds(ns));
  if (!first.empty()) text += ", begun " + table::printable(first);
  return last == first ? text : text + " to " + table::printable(last);
}

std::string scope(const JobReport& report) {
  const std::string all = std::to_string(report.ranks);
  if (report.reporting == report.ranks) return "all " + all + (report.ranks == 1 ? " rank" : " ranks");
  if (report.reporting == 1) return "rank " + std::to_string(report.first_rank) + " of " + all;
  return std::to_string(report.reporting) + " of " + all + " ranks";
}

std::string line_of(const ReportRow& row, std::int64_t share) {
  const std::string function = (row.nonblocking ? "i" : "") + std::string(name_of(row.collective));
  const std::string bytes = bytes_of(row);
  std::string text =
      formatted("@ %5jd  %-15s  %-17s  %9jd  %10.3f  %5.1f%%  %9.2f  %8jd%%  %-28s  ", row.ranks, function.c_str(),
                bytes.c_str(), row.calls, seconds(row.times.sum), static_cast<double>(share) / 10,
                microseconds(row.times.mean_call()), row.times.imbalance(), row.ran.c_str());
  text += row.reason + (row.site.empty() ? "" : ", called at " + row.site);
  return table::printable(text) + '\n';
}

/// The table of a program's calls, or that of the only one if the name is empty.
std::string calls_of_program(const JobReport& report, std::string_view program) {
  std::string text = formatted("@ %5s  %-15s  %-17s  %9s  %10s  %6s  %9s  %9s  %-28s  %s\n", "ranks", "call", "bytes",
                               "calls", "time s", "share", "mean us", "imbalance", "ran", "reason");
  for (const ReportRow& row : report.rows)
    if (row.program == program && (row.calls > 0 || !row.site.empty())) text += line_of(row, share_of(report, row));
  return text;
}

std::string program_lines(const JobReport& report, const std::string& program) {
  std::vector<Job> jobs;
  std::ranges::copy_if(report.jobs, std::back_inserter(jobs), [&](const Job& job) { return job.program == program; });
  return "@ program " + table::printable(program) + ": " + words_of(jobs) + '\n' + calls_of_program(report, program);
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
    text += formatted(", mean %.2f us a rank, max %.2f us", microseconds(set_up.times.mean()),
                      microseconds(set_up.times.most));
  if (set_up.waiting > 0)
    text += formatted("; not set up, as calls were too few: %jd (due after %.0f us of native calls)", set_up.waiting,
                      microseconds(set_up.price_ns));
  return text;
}

}  // namespace

std::vector<std::string> notes_of(const JobReport& report) {
  std::vector<std::string> notes;
  const std::string ranks = scope(report);
  for (const std::string& line : report.learned) notes.push_back("learned: " + table::printable(line));
  if (std::ranges::any_of(report.verified, [](std::int64_t n) { return n > 0; }))
    notes.push_back(verified_note(report));
  if (report.set_up.communicators + report.set_up.waiting > 0) notes.push_back(set_up_note(report));
  if (const auto& [made, kept, bytes] = report.schedules; made > 0)
    notes.push_back(formatted("schedules, %s: %jd made, at most %jd kept by a rank (%.1f KiB)", ranks.c_str(), made,
                              kept, static_cast<double>(bytes) / 1024));
  if (report.grafted > 0)
    notes.push_back(formatted("messages in shared memory: %jd of %jd grafted calls", report.shared, report.grafted));
  if (report.waits + report.yields + report.sleeps > 0)
    notes.push_back(formatted("waiting, %s: %jd waits on an oversubscribed node, %jd yields, %jd sleeps", ranks.c_str(),
                              report.waits, report.yields, report.sleeps));
  if (report.copied > 0)
    notes.push_back(
        formatted("buffers in GPU memory, %s: %jd calls ran on copies in host memory", ranks.c_str(), report.copied));
  return notes;
}

std::string text_of(const JobReport& report) {
  std::string text = table::printable("@ mpigraft " + report.version + "  " + report.program + "  " + scope(report) +
                                      "  table " + report.table) +
                     '\n';
  const std::vector<std::string> programs = programs_of(report.jobs);
  if (programs.size() > 1) {
    for (const std::string& program : programs) text += program_lines(report, program);
  } else {
    text += "@ " + (report.jobs.size() == 1 ? words_of(report.jobs[0]) : words_of(report.jobs)) + '\n';
    text += calls_of_program(report, "");
  }
  for (const std::string& note : notes_of(report)) text += "@ " + note + '\n';
  return text;
}

}  // namespace mpigraft::report
