// SPDX-License-Identifier: MIT
#include "config/report/report.hpp"

#include <catch2/catch.hpp>

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

}  // namespace mpigraft::report
