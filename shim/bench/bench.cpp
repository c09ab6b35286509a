// SPDX-License-Identifier: MIT
// mpigraft-bench. The shim is linked in: MPI_Scan is the grafted call with its whole path, exactly as under a
// preload, and PMPI_Scan is the MPI library's.
#include <unistd.h>

#include <cstdio>
#include <new>

#include "shim/bench/mixed.hpp"
#include "shim/bench/options.hpp"
#include "shim/bench/output.hpp"

namespace mpigraft::bench {
namespace {

/// Rank 0's view of the run; the other ranks have none.
class Display {
 public:
  Display(const Options& options, const Provenance& from)
      : options_(options), record_(from, options.json), progress_(options.problems.size(), isatty(STDERR_FILENO)) {
    if (record_.problem().empty() && options.json != "-") print_header(from, options.problems.front().kind);
  }

  void before(const Problem& problem) { progress_.before(problem); }
  void after(const Cell& cell) {
    progress_.clear();
    record_.add(cell);
    if (options_.json != "-") print(cell);
    print_differences(cell);
  }
  void finish() { record_.finish(); }

  /// True, after telling why, if a file cannot be written.
  bool failed() const {
    if (!record_.problem().empty()) std::fprintf(stderr, "mpigraft-bench: %s\n", record_.problem().c_str());
    return !record_.problem().empty();
  }

 private:
  const Options& options_;
  Record record_;
  Progress progress_;
};

int measure_all(const Options& options, Ranks& ranks, const Provenance& from) {
  std::optional<Display> display;
  if (ranks.rank() == 0) display.emplace(options, from);
  if (ranks.barrier(display && display->failed())) return exit_usage;
  const Arms arms(options.selection);
  std::mt19937_64 shuffler;  // the same on all ranks
  bool right = true;
  for (const Problem& problem : options.problems) {
    if (display) display->before(problem);
    const Cell cell = measure(problem, arms, options.limits, ranks, shuffler);
    if (display) display->after(cell);
    right &= cell.agrees();
  }
  if (display) display->finish();
  if (ranks.barrier(display && display->failed())) return exit_usage;
  return right ? exit_ok : exit_wrong_results;
}

int run(int argc, char** argv) {
  Ranks ranks;
  Options options;
  if (const auto done = parse(argc, argv, ranks.rank(), options)) return *done;
  const Provenance from = provenance(argc, argv, ranks.size());
  return options.mixed ? make_mixed_calls(options, ranks, from) : measure_all(options, ranks, from);
}

}  // namespace
}  // namespace mpigraft::bench

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int status = 0;
  try {
    status = mpigraft::bench::run(argc, argv);
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "mpigraft-bench: out of memory\n");
    MPI_Abort(MPI_COMM_WORLD, mpigraft::bench::exit_usage);
  }
  mpigraft::bench::free_kinds();
  MPI_Finalize();
  return status;
}
