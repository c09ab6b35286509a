// SPDX-License-Identifier: MIT
// Maximum segment sum: the largest sum of consecutive numbers. It is the maximum of a scan, so it can be computed by a
// scan and a reduction, or, after the scan-reduce rule (Gorlatch, Lengauer 1997, theorem 1), by one reduction.
#include "app.hpp"

namespace {

constexpr long least = -(1L << 60);  // below every sum, and far from overflow

/// The function e -> max(e + sum, end) on the largest sum e of a segment that ends before these numbers.
struct Ends {
  long sum = 0, end = least;
};

Ends then(const Ends& lower, const Ends& higher) {
  return {lower.sum + higher.sum, std::max(lower.end + higher.sum, higher.end)};
}

/// Some numbers, paired by the rule: what the scan makes of them, and the maximum of the scan, as the function e ->
/// max(e + start, best).
struct Sums {
  Ends ends;
  long start = least, best = least;
};

Sums join(const Sums& lower, const Sums& higher) {
  return {then(lower.ends, higher.ends), std::max(lower.start, lower.ends.sum + higher.start),
          std::max({lower.best, higher.best, lower.ends.end + higher.start})};
}

/// One reduction, to a root that changes from step to step, and a broadcast of the result.
long by_reduction(const std::vector<long>& part, int root) {
  const app::Type<Sums> type;
  const app::Operator<Sums, join> op(false);
  Sums own, all;
  for (const long x : part) own = join(own, {{x, x}, x, x});
  MPI_Reduce(&own, &all, 1, type, op, root, MPI_COMM_WORLD);
  MPI_Bcast(&all, 1, type, root, MPI_COMM_WORLD);
  return all.best;
}

/// The composition that the rule replaces.
long by_scan_and_reduction(const std::vector<long>& part) {
  const app::Type<Ends> type;
  const app::Operator<Ends, then> op(false);
  Ends own;
  for (const long x : part) own = then(own, {x, x});
  Ends at = app::before<Ends>({own}, type, op, Ends()).front();
  long best = least;
  for (const long x : part) {
    at = then(at, {x, x});
    best = std::max(best, at.end);
  }
  MPI_Allreduce(MPI_IN_PLACE, &best, 1, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
  return best;
}

/// Kadane's algorithm.
long sequentially(const std::vector<long>& numbers) {
  long best = least, end = least;
  for (const long x : numbers) best = std::max(best, end = std::max(end + x, x));
  return best;
}

}  // namespace

int main(int argc, char** argv) {
  app::Run run(argc, argv, "segment_sum",
               {{"size", {"10000"}}, {"steps", {"20"}}, {"method", {"reduction", "scan_and_reduction"}}});
  std::vector<long> numbers(run.number("size"));
  std::ranges::generate(numbers, [next = run.random()]() mutable { return static_cast<long>(next() % 2001) - 1000; });
  const std::vector<long> expected{sequentially(numbers)}, part = run.blocks(run.number("size")).own(numbers);
  const bool by_rule = run.word("method") == "reduction";
  const auto step = [&](long k) {
    const int root = static_cast<int>(k % app::ranks());
    const long best = by_rule ? by_reduction(part, root) : by_scan_and_reduction(part);
    // every rank has the result; each in turn is asked for it
    return app::Part<long>{0, app::rank() == (root + 1) % app::ranks() ? std::vector{best} : std::vector<long>()};
  };
  return run.judge(step, expected);
}
