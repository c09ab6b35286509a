// SPDX-License-Identifier: MIT
#include "config/report/report.hpp"

#include <catch2/catch.hpp>

namespace mpigraft {
namespace {

using namespace report;

ReportRow row(std::int64_t bytes, std::int64_t calls, std::int64_t ns, const char* ran = "scan/binomial") {
  return {.collective = Collective::scan,
          .ranks = 4,
          .bytes_min = bytes,
          .bytes_max = bytes,
          .calls = calls,
          .total_bytes = bytes * calls,
          .ran = ran,
          .reason = "a \"rule\"\n",
          .times = RankTimes::of_rank(10, ns)};
}

JobReport report_of(std::int64_t rank, std::vector<ReportRow> rows) {
  return {
      .version = "1",
      .program = "a \xff",
      .table = "embedded",
      .jobs = {{.program = "a \xff",
                .date = "2026-01-31T12:00:00Z",
                .hosts = {"host " + std::to_string(rank)},
                .ranks = 4,
                .time = RankTimes::of_rank(1, 1'000'000)}},
      .ranks = 4,
      .reporting = 1,
      .first_rank = rank,
      .rows = std::move(rows),
      .pairs = {{.second = Collective::reduce, .first_operator = "sum", .second_operator = "max", .distributes = true}},
      .learned = {"a line of rank " + std::to_string(rank)},
      .verified = {1, 2, 3, 4, 5},
      .set_up = {.communicators = 1,
                 .waiting = 2,
                 .price_ns = 30'000,
                 .times = RankTimes::of_rank(3, 1000 * (rank + 1))},
      .schedules = {12, 13, 14},
      .grafted = 6,
      .shared = 7,
      .waits = 8,
      .yields = 9,
      .sleeps = 10,
      .copied = 11};
}

}  // namespace

TEST_CASE("times over ranks") {
  RankTimes times;
  CHECK(times.mean() == 0);
  CHECK(times.imbalance() == 0);
  times.add(RankTimes::of_rank(10, 1000));
  times.add(RankTimes::of_rank(5, 3000));
  times.add({});
  CHECK((times.ranks == 2 && times.calls == 15));
  CHECK((times.least == 1000 && times.most == 3000 && times.sum == 4000));
  CHECK((times.least_call == 100 && times.most_call == 600 && times.mean_call() == 266));
  CHECK(times.imbalance() == 50);
}

TEST_CASE("nonblocking calls have rows of their own, in the file, too") {
  ReportRow begun = row(8, 3, 100);
  begun.nonblocking = true;
  JobReport report = report_of(0, {row(8, 10, 1000)});
  merge(report, report_of(3, {begun}));
  REQUIRE(report.rows.size() == 2);
  CHECK(text_of(report).find("  iscan   8 ") != std::string::npos);
  const ParsedReport read = parse_report(json_of(report));
  REQUIRE(read.problem.empty());
  CHECK((!read.report.rows[0].nonblocking && read.report.rows[1].nonblocking));
}

TEST_CASE("rows alike in all but their exact size are one") {
  JobReport report = report_of(0, {row(8, 10, 1000)});
  merge(report, report_of(3, {row(15, 0, 2000), row(16, 0, 1), row(8, 0, 1, "native")}));
  REQUIRE(report.rows.size() == 3);
  CHECK((report.rows[0].bytes_min == 8 && report.rows[0].bytes_max == 15));
  CHECK((report.rows[0].calls == 10 && report.rows[0].total_bytes == 80 && report.rows[0].times.ranks == 2));
  CHECK((report.reporting == 2 && report.first_rank == 0));
  CHECK((report.pairs.size() == 1 && report.verified[4] == 10 && report.sleeps == 20 && report.copied == 22));
  CHECK(parse_report(json_of(report)).report.copied == 22);
  CHECK(report.learned == std::vector<std::string>{"a line of rank 0", "a line of rank 3"});
  CHECK(parse_report(json_of(report)).report.learned == report.learned);
}

TEST_CASE("ranks are of one job, and jobs stay apart") {
  JobReport report = report_of(0, {row(8, 10, 1000)});
  merge(report, report_of(3, {}));
  REQUIRE(report.jobs.size() == 1);
  CHECK((report.jobs[0].hosts == std::vector<std::string>{"host 0", "host 3"} && report.jobs[0].time.ranks == 2));
  add_job(report, report_of(0, {row(8, 10, 3000)}));
  CHECK((report.jobs.size() == 2 && report.ranks == 8 && report.rows.size() == 1 && report.rows[0].program.empty()));
  JobReport other = report_of(0, {row(8, 1, 500'000)});
  other.program = other.jobs[0].program = "b";
  add_job(report, other);
  REQUIRE(report.rows.size() == 2);
  CHECK((report.program == "a \xff, b" && report.rows[1].program == "b" && report.pairs.size() == 2));
  sort_rows(report);
  CHECK((report.rows[0].program == "b" && share_of(report, report.rows[0]) == 500 &&
         share_of(report, report.rows[1]) == 1));
  report.jobs[1].time = {};
  CHECK(!share_of(report, report.rows[1]).has_value());
}

TEST_CASE("a report survives JSON") {
  const JobReport report = report_of(2, {row(8, 10, 1000), row(0, 1, 5, "native")});
  const ParsedReport parsed = parse_report(json_of(report));
  REQUIRE(parsed.problem.empty());
  CHECK(json_of(parsed.report) == json_of(report));
  CHECK(parsed.report.rows[0].reason == report.rows[0].reason);
  CHECK(parsed.report.rows[1].times.sum == 5);
  CHECK(parsed.report.program == "a \xef\xbf\xbd");
}

TEST_CASE("what is no report has a problem") {
  const std::string good = json_of(report_of(0, {row(8, 10, 1000)}));
  const auto problem_with = [&](std::string_view old, std::string_view fresh) {
    std::string text = good;
    return parse_report(text.replace(text.find(old), old.size(), fresh)).problem;
  };
  CHECK(problem_with("\"report\"", "\"table\"") == ":1:1: this is not a report: \"kind\" is not \"report\"");
  for (const char* wrong : {"\"calls\": -1, \"total", "\"calls\": \"\", \"total", "\"total"})
    CHECK(problem_with("\"calls\": 10, \"total", wrong).starts_with(":3:"));
  CHECK(problem_with("\"scan\"", "\"gather\"").starts_with(":3:"));
  CHECK(problem_with("1.5us", "fast").starts_with(":1:"));
  CHECK(problem_with("{", "[").starts_with(":1:"));
  CHECK(!parse_report("").problem.empty());
  CHECK(!parse_report("[]").problem.empty());
}

}  // namespace mpigraft
