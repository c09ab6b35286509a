// SPDX-License-Identifier: MIT
// mpigraft-bench. The shim is linked in: MPI_Scan is the grafted call with its whole path, exactly as under a
// preload, and PMPI_Scan is the MPI library's.
#include <cstdio>
#include <new>

#include "shim/bench/mixed.hpp"
#include "shim/bench/output.hpp"

namespace mpigraft::bench {
namespace {

int measure_all(Options& options, Ranks& ranks, const nlohmann::ordered_json& from) {
  std::optional<Output> output;
  if (ranks.rank() == 0) output.emplace(options, from);
  if (ranks.barrier(output && output->failed())) return exit_usage;
  agree_on(options.arms);
  std::mt19937_64 shuffler;  // the same on all ranks
  bool right = true;
  for (const Problem& problem : options.problems) {
    const Cell cell = measure(problem, options.arms, options.limits, ranks, shuffler);
    if (output) output->add(cell);
    right &= cell.agrees();
  }
  if (output) output->finish();
  if (ranks.barrier(output && output->failed())) return exit_usage;
  return right ? exit_ok : exit_wrong_results;
}

int run(int argc, char** argv) {
  Ranks ranks;
  Options options;
  if (const auto done = parse(argc, argv, ranks.rank(), options)) return *done;
  const nlohmann::ordered_json from = provenance(argc, argv, ranks.size());
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
  free_kind(&mpigraft::bench::matrices());
  MPI_Finalize();
  return status;
}
