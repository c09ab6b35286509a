// SPDX-License-Identifier: MIT
// Prefix sums of more numbers than ranks in three steps (Huang 2007, chapter IV): sums of the parts, prefix sums of
// these over the ranks, prefix sums of the parts. The first step writes nothing (chapter V.A). --method is the middle
// step: MPI's collectives, or recursive doubling (RD) and a binary tree (BT) of messages, with barriers between rounds
// or without, as the paper compares them.
#include <bit>

#include "app.hpp"

using Number = std::uint64_t;

namespace {

constexpr int tag = 0;

void synchronize(bool with_barriers) {
  if (with_barriers) MPI_Barrier(MPI_COMM_WORLD);
}

/// Adds the value that `from` sends; the sum is of ranks in order.
void add_from(int from, Number& x) {
  Number theirs = 0;
  MPI_Recv(&theirs, 1, MPI_UINT64_T, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  x = theirs + x;
}

/// Sums over all ranks up to this one: in each round x covers twice as many.
Number recursive_doubling(Number x, bool with_barriers) {
  const int r = app::rank(), p = app::ranks();
  for (int d = 1; d < p; d *= 2) {
    const Number out = x;
    MPI_Request sending = MPI_REQUEST_NULL;
    if (r + d < p) MPI_Isend(&out, 1, MPI_UINT64_T, r + d, tag, MPI_COMM_WORLD, &sending);
    if (r - d >= 0) add_from(r - d, x);
    MPI_Wait(&sending, MPI_STATUS_IGNORE);
    synchronize(with_barriers);
  }
  return x;
}

/// The same by one tree. After the sweep up, x of a rank r with t trailing ones covers 2^t ranks; the sweep down adds
/// the rest. Both loops run to the next power of two above p, which the paper's text leaves out for the first.
Number binary_tree(Number x, bool with_barriers) {
  const int r = app::rank(), p = app::ranks(), top = static_cast<int>(std::bit_ceil(static_cast<unsigned>(p)));
  const auto step = [&](int to, int from, bool sends, bool receives) {
    if (sends && to < p) MPI_Send(&x, 1, MPI_UINT64_T, to, tag, MPI_COMM_WORLD);
    if (receives && from >= 0) add_from(from, x);
    synchronize(with_barriers);
  };
  for (int d = 1; d < top; d *= 2) step(r + d, r - d, (r + 1) % (2 * d) == d, (r + 1) % (2 * d) == 0);
  for (int d = top / 4; d >= 1; d /= 2) step(r + d, r - d, (r + 1) % (2 * d) == 0, (r + 1) % (2 * d) == d);
  return x;
}

/// The sum over all ranks before this one. Numbers have inverses, so it follows from the sum that includes this rank.
Number sum_before(Number total, const std::string& method) {
  Number through = total;
  if (method == "exscan") return app::before<Number>({total}, MPI_UINT64_T, MPI_SUM, 0).front();
  if (method == "scan") MPI_Scan(&total, &through, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  if (method.starts_with("rd")) through = recursive_doubling(total, method.ends_with("_barrier"));
  if (method.starts_with("bt")) through = binary_tree(total, method.ends_with("_barrier"));
  return through - total;
}

/// Prefix sums of a part. The method "sequential", which is for one rank, skips the first step and the middle one.
std::vector<Number> prefix_sums(const std::vector<Number>& part, const std::string& method) {
  Number before = 0;
  if (method != "sequential") before = sum_before(std::reduce(part.begin(), part.end()), method);
  std::vector<Number> sums(part.size());
  std::inclusive_scan(part.begin(), part.end(), sums.begin(), std::plus<>(), before);
  return sums;
}

}  // namespace

int main(int argc, char** argv) {
  app::Run run(argc, argv, "prefix_sums",
               {{"size", {"10000"}},
                {"steps", {"20"}},
                {"method", {"exscan", "scan", "rd", "rd_barrier", "bt", "bt_barrier", "sequential"}}});
  std::vector<Number> numbers(run.number("size")), expected(numbers.size());
  std::ranges::generate(numbers, run.random());
  std::inclusive_scan(numbers.begin(), numbers.end(), expected.begin());
  const app::Blocks blocks = run.blocks(run.number("size"));
  const std::vector<Number> part = blocks.own(numbers);
  const auto step = [&](long) { return app::Part<Number>{blocks.first(), prefix_sums(part, run.word("method"))}; };
  return run.judge(step, expected);
}
