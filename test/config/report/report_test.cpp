// SPDX-License-Identifier: MIT
#include "config/report/report.hpp"

#include <catch2/catch.hpp>
#include <functional>

namespace mpigraft::report {

TEST_CASE("a report survives JSON, whatever bytes are in the name of its program") {
  JobReport report;
  report.version = "1", report.program = "a \xff", report.table = "embedded";
  report.rows.push_back({.ran = "native", .reason = "a \"rule\"\n", .times = RankTimes::of_rank(10, 1000)});
  report.jobs.push_back({.program = "a \xff"});
  const ParsedReport parsed = parse_report(json_of(report));
  REQUIRE(parsed.problem.empty());
  CHECK(json_of(parsed.report) == json_of(report));
  CHECK(parsed.report.program == "a \xef\xbf\xbd");
  CHECK(parsed.report.rows[0].reason == report.rows[0].reason);
  CHECK(parsed.report.rows[0].times.mean_call() == 100);
}

TEST_CASE("pairs alike in all but their exact size are one") {
  const ReportPair pair{.first = Collective::scan, .second = Collective::scan, .ranks = 4, .bytes_min = 8};
  const std::vector<std::function<void(ReportPair&)>> changes{
      [](ReportPair& other) { other.first = Collective::reduce; },
      [](ReportPair& other) { other.second = Collective::reduce; },
      [](ReportPair& other) { other.ranks = 5; },
      [](ReportPair& other) { other.bytes_min = 16; },
      [](ReportPair& other) { other.first_operator = "sum"; },
      [](ReportPair& other) { other.second_operator = "sum"; },
      [](ReportPair& other) { other.distributes = true; },
      [](ReportPair& other) { other.program = "b"; }};
  JobReport report;
  report.pairs = {pair};
  ReportPair longer = pair;
  longer.bytes_min = 15;
  add(report, longer);
  CHECK(report.pairs.size() == 1);
  for (const auto& change : changes) {
    ReportPair other = pair;
    change(other);
    add(report, other);
  }
  CHECK(report.pairs.size() == 1 + changes.size());
}

}  // namespace mpigraft::report
