// SPDX-License-Identifier: MIT
// The job that a report is about, and the time that its ranks spent.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mpigraft::report {

/// Time of ranks in calls that are alike, in a job or in set-up. In integer nanoseconds, so that the order of merging
/// leaves no trace.
struct RankTimes {
  std::int64_t ranks = 0;                      // that have such a time
  std::int64_t calls = 0;                      // of all these ranks together
  std::int64_t sum = 0, least = 0, most = 0;   // over ranks: a rank's time in all its calls
  std::int64_t least_call = 0, most_call = 0;  // over ranks: the mean of a rank's calls

  static RankTimes of_rank(std::int64_t calls, std::int64_t ns);
  void add(const RankTimes& other);
  std::int64_t mean() const { return ranks == 0 ? 0 : sum / ranks; }
  std::int64_t mean_call() const { return calls == 0 ? 0 : sum / calls; }
  /// Excess of the rank that was longest in these calls over the mean of the ranks, per cent.
  std::int64_t imbalance() const;
};

/// Reports of earlier versions tell only program and ranks.
struct Job {
  std::string program = {};
  std::string date = {};                // when it began: "2026-01-31T12:00:00Z"
  std::string id = {};                  // that the batch system gave it; empty: none
  std::string user = {}, command = {};  // of the lowest rank that reports; empty: unknown
  std::vector<std::string> hosts = {};  // sorted
  std::int64_t ranks = 0;               // of MPI_COMM_WORLD
  RankTimes time = {};  // of ranks that report, from their start to MPI_Finalize; `calls` has no meaning

  /// Adds what another rank of the same job tells.
  void add_rank(const Job& other);
};

/// "job 17 of user, begun 2026-01-31T12:00:00Z, on 2 hosts: a, b; wall time 12.500 s: ./program 1 2", as far as known.
std::string words_of(const Job& job);

/// "3 jobs, 12 ranks, wall time 37.500 s, begun 2026-01-31T12:00:00Z to 2026-02-01T12:00:00Z"; these are sums.
std::string words_of(const std::vector<Job>& jobs);

/// The names of all programs, each once, in the order of the jobs.
std::vector<std::string> programs_of(const std::vector<Job>& jobs);

/// Time of the ranks of all jobs of a program, in nanoseconds; 0 if one of them does not tell. An empty name stands for
/// all programs.
std::int64_t time_of(const std::vector<Job>& jobs, const std::string& program);

}  // namespace mpigraft::report
