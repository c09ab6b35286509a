// SPDX-License-Identifier: MIT
#include "config/report/job.hpp"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <utility>

#include "config/table/size.hpp"
#include "config/table/suggest.hpp"

namespace mpigraft::report {
namespace {

constexpr std::size_t told_hosts = 4;

std::string wall_time(std::int64_t ns) {
  char text[48];
  std::snprintf(text, sizeof text, "wall time %.3f s", static_cast<double>(ns) / 1e9);
  return text;
}

std::string words_of_hosts(const std::vector<std::string>& hosts) {
  std::string text = table::counted(std::ssize(hosts), "host") + ":";
  for (std::size_t i = 0; i < std::min(told_hosts, hosts.size()); ++i)
    text += (i == 0 ? " " : ", ") + table::printable(hosts[i]);
  return hosts.size() > told_hosts ? text + ", ..." : text;
}

}  // namespace

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
  sum += other.sum;
}

std::int64_t RankTimes::imbalance() const {
  return sum == 0 ? 0 : 100 * (most - mean()) / std::max<std::int64_t>(1, mean());
}

void Job::add_rank(const Job& other) {
  std::vector<std::string> both;
  std::ranges::set_union(hosts, other.hosts, std::back_inserter(both));
  hosts = std::move(both);
  time.add(other.time);
}

std::string words_of(const Job& job) {
  std::string text = "job";
  if (!job.id.empty()) text += " " + table::printable(job.id);
  if (!job.user.empty()) text += " of " + table::printable(job.user);
  if (!job.date.empty()) text += ", begun " + table::printable(job.date);
  if (!job.hosts.empty()) text += ", on " + words_of_hosts(job.hosts);
  if (job.time.ranks > 0) text += "; " + wall_time(job.time.most);
  return job.command.empty() ? text : text + ": " + table::printable(job.command);
}

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
  std::string text = table::counted(std::ssize(jobs), "job") + ", " + table::counted(ranks, "rank");
  if (time_of(jobs, {}) > 0) text += ", " + wall_time(ns);
  if (!first.empty()) text += ", begun " + table::printable(first);
  return last == first ? text : text + " to " + table::printable(last);
}

std::vector<std::string> programs_of(const std::vector<Job>& jobs) {
  std::vector<std::string> programs;
  for (const Job& job : jobs)
    if (std::ranges::find(programs, job.program) == programs.end()) programs.push_back(job.program);
  return programs;
}

std::int64_t time_of(const std::vector<Job>& jobs, const std::string& program) {
  std::int64_t sum = 0;
  for (const Job& job : jobs) {
    if (!program.empty() && job.program != program) continue;
    if (job.time.sum == 0) return 0;
    sum += job.time.sum;
  }
  return sum;
}

}  // namespace mpigraft::report
