// SPDX-License-Identifier: MIT
// The report of a job (MPIGRAFT_REPORT): what the library writes and `mpigraft report` reads.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/info.hpp"

namespace mpigraft::report {

/// Marks behind FILE.json in the name of a file: a part of one rank, a report of another job, a file that is being
/// written. The letters that follow tell such files apart.
inline constexpr std::string_view part_mark = ".part-", job_mark = ".job-", fresh_mark = ".new-";

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

struct Job {
  std::string program = {};
  std::string date = {};                // when it began: "2026-01-31T12:00:00Z"
  std::string id = {};                  // that the batch system gave it; empty: none
  std::string user = {}, command = {};  // of the lowest rank that reports; empty: unknown
  std::vector<std::string> hosts = {};  // sorted
  std::int64_t ranks = 0;               // of MPI_COMM_WORLD
  RankTimes time = {};  // of ranks that report, from their start to MPI_Finalize; `calls` has no meaning
};

/// Calls alike in all but their exact size.
struct ReportRow {
  Collective collective{};
  bool nonblocking = false;                   // only the time to begin is counted
  std::int64_t ranks = 0;                     // of the communicator
  std::int64_t bytes_min = 0, bytes_max = 0;  // between the same powers of two
  std::int64_t calls = 0, total_bytes = 0;    // each call once: at rank 0 of its communicator
  std::string ran, reason;                    // an algorithm's full name or "native"; for people
  std::string site = {};                      // the place in the program that calls it; empty: any
  std::string program = {};                   // empty: that of the report, which has only one
  RankTimes times;
};

/// The outcomes of verified calls (MPIGRAFT_VERIFY): the verdicts, then those without one.
inline constexpr std::array<std::string_view, 5> verified_names{"identical", "within rounding", "not judged",
                                                                "different", "not compared"};

/// The set-up of communicators, in which their ranks negotiate and make what grafted calls need.
struct SetUp {
  std::int64_t communicators = 0;  // that were set up
  std::int64_t waiting = 0;        // that were not, because their calls were too few
  std::int64_t price_ns = 0;       // time of native calls on a communicator before which it is not set up
  RankTimes times = {};            // a rank's `calls` are the set-ups that it took part in
};

/// The schedules that ranks keep, one for each kind of calls on a communicator.
struct ScheduleUse {
  std::int64_t made = 0;   // by all ranks together
  std::int64_t kept = 0;   // the most that one rank kept at a time
  std::int64_t bytes = 0;  // the most that these took
};

/// The report of a job, or of several.
struct JobReport {
  std::string version, program, table;
  std::vector<Job> jobs = {};
  Machine machine = {};         // of the table
  std::int64_t ranks = 0;       // of MPI_COMM_WORLD, of all jobs together
  std::int64_t reporting = 0;   // of these, ranks whose calls are in the report
  std::int64_t first_rank = 0;  // the lowest of them
  std::vector<ReportRow> rows;
  std::vector<std::string> learned;  // a line for each outcome of MPIGRAFT_LEARN, for people
  std::array<std::int64_t, verified_names.size()> verified{};
  SetUp set_up;
  ScheduleUse schedules;
  std::int64_t grafted = 0, shared = 0;  // calls; of these, where the ranks share memory
  std::int64_t waits = 0, yields = 0, sleeps = 0;
  std::int64_t copied = 0;  // calls of all ranks that ran on copies of buffers in a GPU's memory
};

/// The names of all programs, each once, in the order of the jobs.
std::vector<std::string> programs_of(const std::vector<Job>& jobs);

/// 0 bytes, 1, 2 to 3, 4 to 7, ...: the number of its binary digits.
int size_class(std::int64_t bytes);

/// Adds what another rank of the job has counted.
void merge(JobReport& into, const JobReport& other);

/// Adds another job. If it ran another program, their rows stay apart.
void add_job(JobReport& into, JobReport other);

/// The files of a report that are there: NAME itself, which may be absent, and those with one of these marks behind it.
std::vector<std::string> files_of(const std::string& name, std::initializer_list<std::string_view> marks);

/// Puts the rows with the most time first.
void sort_rows(JobReport& report);

/// The share of the time of the ranks of the program's jobs that they spent in the calls of a row, in per mille.
std::int64_t share_of(const JobReport& report, const ReportRow& row);

/// What else there is to say, a line each: what was learned and verified, set-up, schedules, messages, waits.
std::vector<std::string> notes_of(const JobReport& report);

/// The report as text, for people and grep: every line begins with "@ ". Rows that no rank 0 has counted are left out.
std::string text_of(const JobReport& report);

/// The whole report as JSON.
std::string json_of(const JobReport& report);

inline constexpr std::size_t max_report_bytes = std::size_t{64} << 20;

struct ParsedReport {
  JobReport report;
  std::string problem;  // empty, or ":LINE:COLUMN: what is wrong", to follow the name of a file
};

/// The inverse of json_of. Throws only std::bad_alloc.
ParsedReport parse_report(std::string_view json);

}  // namespace mpigraft::report
