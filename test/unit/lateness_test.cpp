// SPDX-License-Identifier: MIT
#include <algorithm>
#include <catch2/catch.hpp>
#include <utility>

#include "config/report/arrivals.hpp"
#include "config/report/report.hpp"

namespace mpigraft::report {
namespace {

constexpr std::uint64_t comm = 17;

/// A rank's calls of one communicator, which it began at these times; each took 100 ns, and its root is 1.
Sample sample_of(std::int32_t rank, const std::vector<std::int64_t>& began, std::uint64_t of_comm = comm) {
  Sample sample(Sample::most);
  for (std::size_t i = 0; i < began.size(); ++i)
    sample.add({call_id(of_comm, static_cast<std::int64_t>(i) + 1), began[i], 100, rank, 1});
  return sample;
}

std::vector<Arrival> told(const std::vector<Sample>& ranks) {
  std::vector<Arrival> all;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank)
    merge(all, arrivals_of({&ranks[rank]}, static_cast<std::int32_t>(rank)));
  return all;
}

Lateness lateness(const Sample& sample, const std::vector<Arrival>& arrivals, int ranks) {
  return lateness_of(sample, arrivals, Collective::allreduce, ranks);
}

std::vector<std::int64_t> of(const LateRank& late) { return {late.rank, late.last, late.waited_ns}; }

ReportRow row_of(const Lateness& late, std::int64_t calls) {
  return {.collective = Collective::scan,
          .ranks = 3,
          .bytes_min = 8,
          .bytes_max = 8,
          .calls = calls / 3,
          .ran = "scan/binomial",
          .why = "why",
          .site = "solver+0x12 (main)",
          .times = RankTimes::of_rank(calls, 1000),
          .late = late};
}

JobReport with(std::vector<ReportRow> rows) {
  JobReport report;
  report.rows = std::move(rows);
  return report;
}

}  // namespace

TEST_CASE("the last to come is waited for, but no longer than a call takes") {
  const std::vector<Sample> ranks{sample_of(0, {0, 1000, 2000}), sample_of(1, {30, 1500, 2000}),
                                  sample_of(2, {20, 900, 2000})};
  const std::vector<Arrival> arrivals = told(ranks);
  REQUIRE(arrivals.size() == 3);
  Lateness late = lateness(ranks[0], arrivals, 3);
  CHECK((late.calls == 3 && late.ns == 300 && late.waited_ns() == 130));  // 30, 100 of 500, 0
  CHECK(lateness(ranks[1], arrivals, 3).waited_ns() == 0);
  CHECK(lateness(ranks[2], arrivals, 3).waited_ns() == 110);
  for (const std::size_t rank : {1, 2}) late.add(lateness(ranks[rank], arrivals, 3));
  late.keep_worst(9);
  REQUIRE(late.ranks.size() == 2);
  CHECK(of(late.ranks[0]) == std::vector<std::int64_t>{1, 6, 240});
  CHECK(of(late.ranks[1]) == std::vector<std::int64_t>{0, 3, 0});  // the lowest of those that come at once
}

TEST_CASE("a rank waits for the last one only where it needs it") {
  const std::vector<Sample> ranks{sample_of(0, {0}), sample_of(1, {20}), sample_of(2, {10})};
  const std::vector<Arrival> arrivals = told(ranks);
  const auto waited = [&](Collective collective) {
    std::vector<std::int64_t> by_rank;
    for (const Sample& rank : ranks) by_rank.push_back(lateness_of(rank, arrivals, collective, 3).waited_ns());
    return by_rank;
  };
  using Waited = std::vector<std::int64_t>;
  for (const Collective all : {Collective::barrier, Collective::allreduce, Collective::reduce_scatter,
                               Collective::allgather, Collective::bcast})
    CHECK(waited(all) == Waited{20, 0, 10});
  for (const Collective prefix : {Collective::scan, Collective::exscan}) CHECK(waited(prefix) == Waited{0, 0, 10});
  CHECK(waited(Collective::reduce) == Waited{0, 0, 0});
}

TEST_CASE("calls of which not all ranks have told are left out") {
  const std::vector<Sample> ranks{sample_of(0, {0, 0}), sample_of(1, {5}), sample_of(0, {7, 7}, comm + 1)};
  CHECK(lateness(ranks[0], told(ranks), 2).calls == 1);
  CHECK(lateness(ranks[0], told(ranks), 3).calls == 0);
  CHECK(lateness(ranks[2], told(ranks), 1).calls == 2);
  CHECK(lateness(ranks[0], {}, 2).calls == 0);
}

TEST_CASE("many calls are compared in a sample that is the same on all ranks and has no period") {
  constexpr int calls = 100'000;
  std::vector<Sample> ranks, odd;
  for (int rank = 0; rank < 2; ++rank) ranks.emplace_back(Sample::most), odd.emplace_back(Sample::most);
  for (int i = 1; i <= calls; ++i)
    for (std::size_t rank = 0; rank < 2; ++rank) {
      const int late = i % 4 == 0 && rank == 1 ? 1 : 0;
      const SampledCall call{call_id(comm, i), 1000 * i + late, 9, static_cast<std::int32_t>(rank), 0};
      ranks[rank].add(call);
      if (i % 2 == 1) odd[rank].add(call);
    }
  const Lateness late = lateness(ranks[0], told(ranks), 2);
  CHECK((late.calls > 800 && late.calls <= static_cast<std::int64_t>(Sample::most)));
  CHECK(late.calls == static_cast<std::int64_t>(ranks[1].calls().size()));
  Sample none;
  none.add(ranks[0].calls()[0]);
  CHECK(none.calls().empty());
  CHECK(static_cast<double>(late.waited_ns()) / static_cast<double>(late.calls) == Approx(0.25).margin(0.06));
  CHECK(lateness(odd[0], told(odd), 2).calls > 800);  // half as many calls, in a sample twice as dense
  CHECK(lateness(ranks[0], told({ranks[0], odd[1]}), 2).calls > 300);
}

TEST_CASE("what is told of very many calls is a sample of them, sorted") {
  std::vector<Sample> kinds(20);
  for (std::size_t kind = 0; kind < kinds.size(); ++kind)
    kinds[kind] = sample_of(0, std::vector<std::int64_t>(2000, 5), comm + kind);
  std::vector<const Sample*> all;
  for (const Sample& kind : kinds) all.push_back(&kind);
  std::vector<Arrival> arrivals = arrivals_of(all, 0);
  merge(arrivals, arrivals_of(all, 1));
  CHECK((arrivals.size() > most_arrivals / 3 && arrivals.size() <= most_arrivals));
  CHECK(std::ranges::is_sorted(arrivals, {}, &Arrival::id));
  CHECK(std::ranges::all_of(arrivals, [](const Arrival& arrival) { return arrival.ranks == 2; }));
  CHECK(lateness(kinds[7], arrivals, 2).calls > 400);
}

TEST_CASE("the worst ranks are kept, the others added up") {
  Lateness late{
      .calls = 100, .ns = 4'000'000, .ranks = {{0, 1, 1}, {1, 60, 2'000'000}, {2, 9, 7000}, {3, 9, 7001}, {4, 21, 0}}};
  late.keep_worst(4);
  CHECK(of(late.ranks[2]) == std::vector<std::int64_t>{2, 9, 7000});
  CHECK(of(late.others) == std::vector<std::int64_t>{1, 21, 0});
  CHECK(late.waited_ns() == 2'014'002);
  CHECK(words_of(late) ==
        "50% of 4 ms was waiting for the last; rank 1 came last in 60% of the calls (2 ms), rank 3 in 9% (7 us), "
        "rank 2 in 9% (7 us), 2 others in 22% (0.001 us)");
  CHECK(words_of({.calls = 1, .ns = 0, .ranks = {{2, 1, 0}}}) ==
        "0% of 0 us was waiting for the last; rank 2 came last in 100% of the calls (0 us)");
}

TEST_CASE("a report tells of late ranks, and survives JSON") {
  const ReportRow row = row_of({.calls = 30, .ns = 1000, .ranks = {{2, 30, 500}}}, 30);
  JobReport report = with({row});
  CHECK(text_of(report).find(
            "@ late: scan, 3 ranks, 8 bytes, scan/binomial, called at solver+0x12 (main): 50% of 1 us was "
            "waiting for the last; rank 2 came last in 100% of the calls (0.5 us)\n@ waiting") != std::string::npos);
  merge(report, with({row, row_of({}, 30)}));
  REQUIRE(report.rows.size() == 1);
  CHECK((report.rows[0].late.calls == 60 && report.rows[0].times.calls == 90));
  CHECK(report.rows[0].waited_ns() == Approx(1500));
  CHECK(text_of(report).find("; in a sample of 60 of 90 calls\n") != std::string::npos);
  const ParsedReport parsed = parse_report(json_of(report));
  REQUIRE(parsed.problem.empty());
  CHECK(json_of(parsed.report) == json_of(report));
  CHECK(parsed.report.rows[0].site == "solver+0x12 (main)");
  CHECK(of(parsed.report.rows[0].late.ranks[0]) == std::vector<std::int64_t>{2, 60, 1000});
  ReportRow another = row_of({}, 9);
  another.site = "elsewhere";
  merge(report, with({another}));
  CHECK(report.rows.size() == 2);
}

TEST_CASE("a report of many late ranks stays short") {
  JobReport report = with({row_of({}, 9)});
  for (int rank = 0; rank < 1000; ++rank) {
    Lateness late{.calls = 1, .ns = 10};
    late.of(rank) = {rank, 1, rank};
    merge(report, with({row_of(late, 9)}));
  }
  const Lateness& late = report.rows[0].late;
  CHECK((late.ranks.size() == 512 && late.others.rank == 488 && late.ranks[0].rank == 999));
  keep_worst_ranks(report);
  CHECK((late.ranks.size() == 16 && late.others.rank == 984 && late.waited_ns() == 499'500));
}

}  // namespace mpigraft::report
