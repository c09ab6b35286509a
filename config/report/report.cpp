// SPDX-License-Identifier: MIT
#include "config/report/report.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <iterator>
#include <limits>
#include <utility>

#include "config/table/files.hpp"

namespace mpigraft::report {

namespace {

/// Says of each row which program it is of, before those of others join them.
void name_program(JobReport& report) {
  for (ReportRow& row : report.rows)
    if (row.program.empty()) row.program = report.program;
}

bool are_alike(const ReportRow& a, const ReportRow& b) {
  return a.collective == b.collective && a.nonblocking == b.nonblocking && a.ranks == b.ranks &&
         size_class(a.bytes_min) == size_class(b.bytes_min) && a.ran == b.ran && a.reason == b.reason &&
         a.site == b.site && a.program == b.program;
}

/// Adds a row to one that is like it, or else as a new one.
void add_row(std::vector<ReportRow>& rows, const ReportRow& row) {
  const auto same = std::ranges::find_if(rows, [&](const ReportRow& known) { return are_alike(known, row); });
  if (same == rows.end()) return rows.push_back(row);
  same->bytes_min = std::min(same->bytes_min, row.bytes_min);
  same->bytes_max = std::max(same->bytes_max, row.bytes_max);
  same->calls += row.calls;
  same->total_bytes += row.total_bytes;
  same->times.add(row.times);
}

void add_counts(JobReport& into, const JobReport& other) {
  for (const ReportRow& row : other.rows) add_row(into.rows, row);
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

RankTimes RankTimes::of_rank(std::int64_t calls, std::int64_t ns) {
  const std::int64_t mean = calls == 0 ? 0 : ns / calls;
  return {.ranks = 1, .calls = calls, .sum = ns, .least = ns, .most = ns, .least_call = mean, .most_call = mean};
}

void RankTimes::add(const RankTimes& other) {
  if (other.ranks == 0) return;
  least = ranks == 0 ? other.least : std::min(least, other.least);
  least_call = ranks == 0 ? other.least_call : std::min(least_call, other.least_call);
  most = std::max(most, other.most);
  most_call = std::max(most_call, other.most_call);
  ranks += other.ranks;
  calls += other.calls;
  if (__builtin_add_overflow(sum, other.sum, &sum)) sum = std::numeric_limits<std::int64_t>::max();  // of 292 years
}

std::int64_t RankTimes::imbalance() const {
  const auto mean = static_cast<double>(std::max<std::int64_t>(1, this->mean()));
  return sum == 0 ? 0 : static_cast<std::int64_t>(100 * (static_cast<double>(most) - mean) / mean);
}

void merge(JobReport& into, const JobReport& other) {
  add_counts(into, other);
  if (into.jobs.empty()) {
    into.jobs = other.jobs;
  } else if (!other.jobs.empty()) {
    Job& job = into.jobs[0];
    std::vector<std::string> hosts;
    std::ranges::set_union(job.hosts, other.jobs[0].hosts, std::back_inserter(hosts));
    job.hosts = std::move(hosts);
    job.time.add(other.jobs[0].time);
  }
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
  if ((", " + into.table + ", ").find(", " + other.table + ", ") == std::string::npos) into.table += ", " + other.table;
  into.ranks += other.ranks;
  into.first_rank = std::min(into.first_rank, other.first_rank);
  add_counts(into, other);
}

std::vector<std::string> files_of(const std::string& name, std::initializer_list<std::string_view> marks) {
  std::vector<std::string> found{name};
  const std::string_view begin = std::string_view(name).substr(name.rfind('/') + 1);  // npos + 1 is 0
  for (const std::string& file : table::names_in(table::folder_of(name), begin)) {
    const std::string rest = file.substr(begin.size());
    if (std::ranges::any_of(marks, [&](std::string_view mark) { return rest.starts_with(mark); }))
      found.push_back(name + rest);
  }
  std::ranges::sort(found);
  return found;
}

void sort_rows(JobReport& report) {
  std::ranges::stable_sort(report.rows, std::greater(), [](const ReportRow& row) { return row.times.sum; });
}

std::int64_t share_of(const JobReport& report, const ReportRow& row) {
  double all = 0;
  for (const Job& job : report.jobs)
    if (row.program.empty() || job.program == row.program) all += static_cast<double>(job.time.sum);
  return all == 0 ? 0 : static_cast<std::int64_t>(1000 * static_cast<double>(row.times.sum) / all + 0.5);
}

std::vector<std::string> programs_of(const std::vector<Job>& jobs) {
  std::vector<std::string> programs;
  for (const Job& job : jobs)
    if (std::ranges::find(programs, job.program) == programs.end()) programs.push_back(job.program);
  return programs;
}

}  // namespace mpigraft::report
