// SPDX-License-Identifier: MIT
#include "shim/observe/report.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <mutex>
#include <string>

#include "config/report/report.hpp"
#include "shim/abi/binding.hpp"
#include "shim/abi/functions.hpp"
#include "shim/agree/price.hpp"
#include "shim/base/clock.hpp"
#include "shim/base/log.hpp"
#include "shim/base/own_objects.hpp"
#include "shim/base/process.hpp"
#include "shim/base/version.hpp"
#include "shim/execute/schedules.hpp"
#include "shim/execute/staging.hpp"
#include "shim/observe/files.hpp"
#include "shim/observe/site.hpp"
#include "shim/wait/backoff.hpp"

namespace mpigraft::observe {

/// The calls of this rank that differ only in their exact size.
struct CountedRow {
  report::ReportRow told;  // but for its site and its times
  int size_class;
  execute::Decision decision;
  const void* site;                // return address; null: calls are not told apart by place
  std::int64_t calls = 0, ns = 0;  // of this rank

  bool holds(const agree::Negotiated& agreed, const abi::Call& call, const execute::Decision& d, const void* its_site,
             bool nonblocks) const {
    return site == its_site && told.nonblocking == nonblocks && told.ranks == agreed.size &&
           told.collective == call.collective && size_class == report::size_class(call.bytes) &&
           decision.choice.algorithm == d.choice.algorithm && decision.reason == d.reason && decision.rule == d.rule &&
           decision.fallback == d.fallback && decision.flat_because == d.flat_because;
  }
  /// `counts`: at rank 0 of the communicator.
  void add(std::int64_t bytes, bool counts) {
    told.bytes_min = calls == 0 ? bytes : std::min(told.bytes_min, bytes);
    told.bytes_max = std::max(told.bytes_max, bytes);
    ++calls;
    if (!counts) return;
    told.total_bytes += bytes;
    ++told.calls;
  }
};

namespace {

/// In a larger job a rank that writes its own report tells its sleeps only if it has counted calls.
constexpr int ranks_with_waits = 64;

struct Counts {
  std::mutex mutex;
  std::deque<CountedRow> rows;  // a deque, because callers keep pointers to rows
  report::JobReport of_calls;   // its table, and counts at rank 0 of communicators
  EarlierFiles earlier;         // only at rank 0 of a job that was not spawned
};
Counts& counts() { return base::of_process<Counts>(); }

bool as_json() { return base::settings().report.ends_with(".json"); }

EarlierFiles earlier_files() {
  return abi::comm_rank(abi::comm_world) == 0 && as_json() && !abi::was_spawned()
             ? EarlierFiles(base::settings().report)
             : EarlierFiles();
}

/// REQUIRES: the mutex is held.
CountedRow& row_of(const agree::Negotiated& agreed, const abi::Call& call, const execute::Decision& decision,
                   const void* site, bool nonblocking) {
  Counts& all = counts();
  for (CountedRow& row : all.rows)
    if (row.holds(agreed, call, decision, site, nonblocking)) return row;
  if (all.rows.empty()) all.earlier = earlier_files();
  if (agreed.table) {
    all.of_calls.table = agreed.table->origin;
    all.of_calls.machine = agreed.table->table.machine;
  }
  return all.rows.emplace_back(CountedRow{.told = {.collective = call.collective,
                                                   .nonblocking = nonblocking,
                                                   .ranks = agreed.size,
                                                   .ran = std::string(name_of(decision.choice)),
                                                   .reason = execute::explain(decision),
                                                   .times = {}},
                                          .size_class = report::size_class(call.bytes),
                                          .decision = decision,
                                          .site = site});
}

report::JobReport own_report(int rank, int size) {
  Counts& all = counts();
  const std::lock_guard lock(all.mutex);
  report::JobReport report = all.of_calls;
  if (report.table.empty()) report.table = "none";
  report.version = base::version;
  report.jobs = {this_job(size)};
  report.program = report.jobs[0].program;
  report.ranks = size;
  report.reporting = 1;
  report.first_rank = rank;
  for (const CountedRow& row : all.rows) {
    report.rows.push_back(row.told);
    report.rows.back().site = words_of_site(row.site);
    report.rows.back().times = report::RankTimes::of_rank(row.calls, row.ns);
  }
  report.set_up = {.communicators = agree::set_ups.communicators,
                   .waiting = agree::set_ups.waiting,
                   .price_ns = agree::price_ns,
                   .times = report::RankTimes::of_rank(agree::set_ups.joined, agree::set_ups.ns)};
  const execute::ScheduleCounts& schedules = execute::schedule_counts;
  report.schedules = {.made = schedules.made, .kept = schedules.most_kept, .bytes = schedules.most_bytes};
  const wait::Counters& waits = wait::counters;
  report.waits = static_cast<std::int64_t>(waits.waits);
  report.yields = static_cast<std::int64_t>(waits.yields);
  report.sleeps = static_cast<std::int64_t>(waits.sleeps);
  report.copied = execute::Staging::calls;
  return report;
}

/// True if a rank that writes its own report has something to tell: calls that it counted as rank 0 of a communicator,
/// which no other rank counts, or sleeps in a small job. In a job of several ranks, no table is about calls on one.
bool worth_a_text(const report::JobReport& report) {
  const bool counted = std::ranges::any_of(
      report.rows, [&](const report::ReportRow& row) { return row.calls > 0 && (row.ranks > 1 || report.ranks == 1); });
  return counted || (report.ranks <= ranks_with_waits && report.sleeps > 0);
}

std::atomic<bool> is_over{false};  // the program has called MPI_Finalize
std::atomic<bool> reported{false};
const pid_t process = getpid();  // a child that fork() made has nothing to report

std::string reason_for_no_report() {
  if (!abi::graftable(&process)) return abi::reason_against(&process).text;
  return is_over ? "the program made no call that it counts (`mpigraft report --help`), or only on single ranks"
                 : "the program ended without MPI_Finalize";
}

/// Says why there is no report on stderr. Where a report is to be a file, its absence is seen.
[[gnu::destructor]] void tell_of_no_report() {
  if (base::disabled() || reported || getpid() != process) return;
  base::ignore_bad_alloc([] {
    if (base::settings().report == "stderr" && abi::first_process() && abi::has_initialized_mpi(&process))
      base::log("no report: " + reason_for_no_report());
  });
}

void write_out(const report::JobReport& report, bool apart) {
  const std::string& name = base::settings().report;
  const Scope scope = apart ? Scope::rank : abi::was_spawned() ? Scope::spawned : Scope::job;
  reported = as_json() || !apart || worth_a_text(report);
  if (as_json())
    write_json(name, counts().earlier, scope, report.first_rank, report::json_of(report));
  else if (reported)
    append_text(name, report::text_of(report));
}

}  // namespace

bool asks_for_report() {
  return base::ask_settings([](const table::Settings& settings) { return !settings.report.empty(); });
}

CountedCall::CountedCall(const agree::Negotiated& agreed, CountedRow** last_row, bool shares_memory,
                         const abi::Call& call, const execute::Decision& decision, const void* caller) {
  base::ignore_bad_alloc([&] {
    if (base::settings().report.empty()) return;
    const bool nonblocking = !last_row;
    const void* const site = base::settings().report_sites && !nonblocking ? site_of(caller) : nullptr;
    Counts& all = counts();
    const std::lock_guard lock(all.mutex);
    const bool like_last = last_row && *last_row && (*last_row)->holds(agreed, call, decision, site, false);
    row_ = like_last ? *last_row : &row_of(agreed, call, decision, site, nonblocking);
    row_->add(call.bytes, agreed.rank == 0);
    if (last_row) *last_row = row_;
    if (agreed.rank != 0) return;
    all.of_calls.grafted += !decision.is_native();
    all.of_calls.shared += !decision.is_native() && shares_memory;
  });
  if (row_) begin_ = base::now_ns();
}

CountedCall::~CountedCall() {
  if (!row_) return;
  const std::int64_t length = base::now_ns() - begin_;
  const std::lock_guard lock(counts().mutex);
  row_->ns += length;
}

void count_verified(const agree::Negotiated& agreed, std::optional<Verdict> verdict) {
  if (agreed.rank != 0 || base::settings().report.empty()) return;
  base::ignore_bad_alloc([&] {
    const std::lock_guard lock(counts().mutex);
    auto& verified = counts().of_calls.verified;
    ++verified[verdict ? static_cast<std::size_t>(*verdict) : verified.size() - 1];
  });
}

void note_learned(const std::string& line) {
  if (base::settings().report.empty()) return;
  const std::lock_guard lock(counts().mutex);
  counts().of_calls.learned.push_back(line);
}

void write_report(abi::Comm world) {
  if (!asks_for_report()) return;
  is_over = true;
  const int rank = abi::comm_rank(abi::comm_world), size = abi::comm_size(abi::comm_world);
  report::JobReport report;  // a rank without memory has an empty one, but takes part in the gathering
  base::ignore_bad_alloc([&] { report = own_report(rank, size); });
  const Reports reports = gather(report, world);
  if (reports == Reports::elsewhere) return;
  report::sort_rows(report);
  base::ignore_bad_alloc([&] { write_out(report, reports == Reports::apart); });
}

}  // namespace mpigraft::observe
