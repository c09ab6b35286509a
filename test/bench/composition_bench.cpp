// SPDX-License-Identifier: MIT
// Times what the composition rules save: a scan by MPI_SUM and a call by MPI_MAX on its result, natively, grafted, and
// by each way of mpigraft.h, in turn. Prints JSON, a line for each composition and length. Arguments: seconds a line,
// the longest vector in bytes.
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "shim/mpigraft.h"
#include "shim/wait/looks.hpp"
#include "shim/wait/waiter.hpp"
#include "test/bench/meeting.hpp"
#include "test/bench/statistics.hpp"
#include "test/mpi/forced.hpp"

namespace mpigraft::bench {
namespace {

/// A copy of MPI_COMM_WORLD where a composition runs in one way.
class OneWay : public test::AgreedCopy {
 public:
  OneWay(Composition composition, Way way)
      : AgreedCopy([=](table::Settings& settings) {
          settings.force_way = {};
          settings.force_way[static_cast<std::size_t>(composition)] = way;
          settings.decisive = std::string(name_of(composition)).append("=").append(name_of(way));
        }) {}
};

struct Vectors {
  explicit Vectors(std::size_t count) : from(count, 1.0), between(count), to(count) {}
  int count() const { return static_cast<int>(from.size()); }
  std::vector<double> from, between, to;
};

/// The two calls, of MPI's or of the library's functions.
void apart(Composition composition, Vectors& v, bool native) {
  const MPI_Comm world = MPI_COMM_WORLD;
  const auto scan = native ? PMPI_Scan : MPI_Scan;
  scan(v.from.data(), v.between.data(), v.count(), MPI_DOUBLE, MPI_SUM, world);
  if (composition == Composition::scan_reduce)
    (native ? PMPI_Reduce : MPI_Reduce)(v.between.data(), v.to.data(), v.count(), MPI_DOUBLE, MPI_MAX, 0, world);
  else
    (composition == Composition::scan_scan ? scan
     : native                              ? PMPI_Allreduce
              : MPI_Allreduce)(v.between.data(), v.to.data(), v.count(), MPI_DOUBLE, MPI_MAX, world);
}

void composed(Composition composition, Vectors& v, MPI_Comm comm) {
  if (composition == Composition::scan_reduce)
    MPIGRAFT_Scan_reduce(v.from.data(), v.to.data(), v.count(), MPI_DOUBLE, MPI_SUM, MPI_MAX, 0, 0, comm);
  else
    (composition == Composition::scan_scan ? MPIGRAFT_Scan_scan : MPIGRAFT_Scan_allreduce)(
        v.from.data(), v.to.data(), v.count(), MPI_DOUBLE, MPI_SUM, MPI_MAX, 0, comm);
}

struct Arm {
  std::string name;
  std::function<void()> call;
};

/// Microseconds of the slowest rank, a row of all arms for each sweep.
std::vector<double> times(const std::vector<Arm>& arms, double seconds, Meeting& meeting) {
  std::vector<double> taken;
  const double end = MPI_Wtime() + seconds;
  for (bool enough = false; !enough;) {
    for (const Arm& arm : arms) {
      meeting.meet();
      if (arm.name == "native") wait::leave_waits_to_mpi();
      const double start = MPI_Wtime();
      arm.call();
      taken.push_back((MPI_Wtime() - start) * 1e6);
      wait::follow_looks();
    }
    const bool mine = taken.size() >= fewest_values * arms.size() && MPI_Wtime() >= end;
    enough = meeting.meet(meeting.rank() == 0 && mine) != 0;
  }
  meeting.collect_maxima(taken);
  return taken;
}

void measure(Composition composition, std::size_t bytes, double seconds, Meeting& meeting) {
  Vectors v(bytes / sizeof(double));
  std::vector<std::unique_ptr<OneWay>> ways;
  std::vector<Arm> arms{{"native", [&] { apart(composition, v, true); }},
                        {"grafted", [&] { apart(composition, v, false); }}};
  for (const Way way : {Way::fused, Way::decomposed}) {
    if (!info_of(composition).has(way)) continue;
    const MPI_Comm comm = ways.emplace_back(std::make_unique<OneWay>(composition, way))->comm();
    arms.push_back({std::string(name_of(way)), [&v, composition, comm] { composed(composition, v, comm); }});
  }
  for (const Arm& arm : arms) arm.call();
  const std::vector<double> taken = times(arms, seconds, meeting);
  if (meeting.rank() != 0) return;
  std::printf(R"({"composition": "%s", "ranks": %d, "bytes": %zu)", name_of(composition).data(), meeting.size(), bytes);
  for (std::size_t arm = 0; arm < arms.size(); ++arm) {
    std::vector<double> its;
    for (std::size_t i = arm; i < taken.size(); i += arms.size()) its.push_back(taken[i]);
    const Summary summary = summarize(std::move(its));
    std::printf(R"(, "%s": {"median": %.3f, "minimum": %.3f})", arms[arm].name.c_str(), summary.median,
                summary.minimum);
  }
  std::printf("}\n");
  std::fflush(stdout);
}

}  // namespace
}  // namespace mpigraft::bench

int main(int argc, char** argv) {
  using namespace mpigraft;
  MPI_Init(&argc, &argv);
  const double seconds = argc > 1 ? std::atof(argv[1]) : 0.2;
  const std::size_t longest = argc > 2 ? static_cast<std::size_t>(std::atoll(argv[2])) : 1 << 20;
  {
    bench::Meeting meeting;
    test::agree_on(MPI_COMM_WORLD);
    for (const Composition c : {Composition::scan_reduce, Composition::scan_allreduce, Composition::scan_scan})
      for (std::size_t bytes = 8; bytes <= longest; bytes *= 8) bench::measure(c, bytes, seconds, meeting);
  }
  MPI_Finalize();
}
