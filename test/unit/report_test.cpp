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
          .why = "a \"rule\"\n",
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
      .grafted = 6,
      .shared = 7,
      .waits = 8,
      .yields = 9,
      .naps = 10,
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
  CHECK((report.pairs.size() == 1 && report.verified[4] == 10 && report.naps == 20 && report.copied == 22));
  CHECK(parse_report(json_of(report)).report.copied == 22);
  CHECK(text_of(report).find("\n@ buffers in GPU memory, 2 of 4 ranks: 22 calls ran on copies in host memory\n") !=
        std::string::npos);
  CHECK(report.learned == std::vector<std::string>{"a line of rank 0", "a line of rank 3"});
  CHECK(parse_report(json_of(report)).report.learned == report.learned);
  CHECK(text_of(report).find("\n@ learned: a line of rank 3\n") != std::string::npos);
}

TEST_CASE("reports of ranks and jobs add up what set-up cost") {
  JobReport report = report_of(0, {});
  CHECK(
      text_of(report).find("\n@ set-up, rank 0 of 4: 1 communicator, mean 1.00 us a rank, max 1.00 us; not set up, as "
                           "calls were too few: 2; due after 30 us of native calls\n") != std::string::npos);
  merge(report, report_of(2, {}));
  const SetUp read = parse_report(json_of(report)).report.set_up;
  CHECK((read.communicators == 2 && read.waiting == 4 && read.price_ns == 30'000));
  CHECK((read.times.ranks == 2 && read.times.calls == 6 && read.times.mean() == 2000 && read.times.most == 3000));
  CHECK(text_of(report).find("\n@ set-up, 2 of 4 ranks: 2 communicators, mean 2.00 us a rank, max 3.00 us; ") !=
        std::string::npos);
  report.set_up.communicators = report.set_up.waiting = 0;
  CHECK(text_of(report).find("set-up") == std::string::npos);
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

TEST_CASE("two calls that are one are told in words") {
  JobReport report;
  const auto told = [&](const ReportPair& pair) {
    report.pairs = {pair};
    const std::string text = text_of(report), begin = "@ in a row: ";
    const std::size_t at = text.find(begin) + begin.size();
    return text.substr(at, text.find('\n', at) - at);
  };
  ReportPair pair{.first = Collective::reduce, .second = Collective::bcast, .first_operator = "sum", .calls = 3};
  CHECK(told(pair) ==
        "reduce by sum, then bcast of its result: 3 times, 0 ranks, 0-0 bytes; one MPI_Allreduce does both");
  const ParsedReport parsed = parse_report(json_of(report));
  REQUIRE(parsed.report.pairs.size() == 1);
  CHECK(parsed.report.pairs[0].is_like(pair));
  pair.first = Collective::scan;
  CHECK_FALSE(parsed.report.pairs[0].is_like(pair));
  pair.second = Collective::allreduce;
  pair.second_operator = "max";
  CHECK(told(pair) ==
        "scan by sum, then allreduce by max of its result: 3 times, 0 ranks, 0-0 bytes; "
        "one MPIGRAFT_Scan_allreduce does both if the first operator distributes over the second");
}

TEST_CASE("a report survives JSON") {
  const JobReport report = report_of(2, {row(8, 10, 1000), row(0, 1, 5, "native")});
  const ParsedReport parsed = parse_report(json_of(report));
  REQUIRE(parsed.problem.empty());
  CHECK(json_of(parsed.report) == json_of(report));
  CHECK(parsed.report.rows[0].why == report.rows[0].why);
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
  CHECK(problem_with("\"calls\": 10, \"total", "\"calls\": -1, \"total") == ":3:79: \"calls\" is negative");
  CHECK(problem_with("\"calls\": 10, \"total", "\"calls\": \"\", \"total") == ":3:79: \"calls\" is not an integer");
  CHECK(problem_with("\"calls\": 10, \"total", "\"total") == ":3:3: no \"calls\" here");
  CHECK(problem_with("\"scan\"", "\"gather\"") == ":3:3: \"collective\" is not a collective");
  CHECK(problem_with("1.5us", "fast").starts_with(":1:"));
  CHECK(problem_with("{", "[").starts_with(":1:"));
  CHECK(!parse_report("").problem.empty());
  CHECK(!parse_report("[]").problem.empty());
}

TEST_CASE("the text counts what a rank 0 has counted") {
  const std::string text = text_of(report_of(0, {row(8, 10, 1000), row(64, 0, 1000)}));
  CHECK(text.find("rank 0 of 4") != text.npos);
  CHECK(text.find("  scan    8                         10       0.000    0.1%       0.10         0%  ") != text.npos);
  CHECK(text.find(" 64 ") == text.npos);
  CHECK(text.find("@ verified: 1 identical, 2 within rounding, 3 not judged, 4 different, 5 not compared\n") !=
        text.npos);
}

}  // namespace mpigraft
