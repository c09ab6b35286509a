// SPDX-License-Identifier: MIT
// The cost of a call besides its messages: the MPI functions below are replaced by ones that do nothing. For a native
// call it is the added time; for a grafted one the time up to its first message, and all of it. The argument is the
// number of calls; few are enough for callgrind, which counts instructions.
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "shim/abi/translation/pmpi.hpp"
#include "shim/bench/forced.hpp"

namespace mpigraft::bench {
namespace {

constexpr int runs = 9;
int calls = 200'000;
std::uint64_t first_message = 0;  // when; 0: none yet
int last_tag = 0;                 // of what was sent

/// Ticks of the processor's clock, which is read in a few ns.
std::uint64_t ticks() {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#else
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

double ns_per_tick() {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  const std::uint64_t first = ticks();
  while (Clock::now() - begin < std::chrono::milliseconds(50)) {
  }
  const std::chrono::duration<double, std::nano> spent = Clock::now() - begin;
  return spent.count() / static_cast<double>(ticks() - first);
}

[[gnu::noipa]] int nothing(const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm) { return MPI_SUCCESS; }
int sent_at_once(const void*, int, MPI_Datatype, int, int tag, MPI_Comm, MPI_Request* request) {
  if (first_message == 0) first_message = ticks();
  last_tag = tag;
  *request = MPI_REQUEST_NULL;
  return MPI_SUCCESS;
}
int received_at_once(void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request* request) {
  *request = MPI_REQUEST_NULL;
  return MPI_SUCCESS;
}
/// Pretends that an empty message has come: rank 0 receives only in barriers.
int over_at_once(MPI_Request*, MPI_Status* status) {
  status->MPI_TAG = last_tag;
  return MPI_Status_set_elements(status, MPI_BYTE, 0);
}

/// The least time of a call over all runs, in ticks.
template <class Once>
double least(Once once) {
  double best = 1e18;
  for (int run = 0; run < runs; ++run) {
    std::uint64_t spent = 0;
    for (int i = 0; i < calls; ++i) spent += once();
    best = std::min(best, static_cast<double>(spent) / calls);
  }
  return best;
}

template <class Call>
double time_of(Call call) {
  return least([=] {
    const std::uint64_t begin = ticks();
    call();
    return ticks() - begin;
  });
}

template <class Call>
double time_to_first_message(Call call) {
  return least([=] {
    first_message = 0;
    const std::uint64_t begin = ticks();
    call();
    return first_message - begin;
  });
}

void measure(MPI_Comm comm) {
  static long in = 1, out = 0;
  static MPI_Request none = MPI_REQUEST_NULL;
  const auto bcast = [=] { MPI_Bcast(&in, 1, MPI_LONG, 0, comm); };
  const auto scan = [=] { MPI_Scan(&in, &out, 1, MPI_LONG, MPI_SUM, comm); };
  const auto exscan = [=] { MPI_Exscan(&in, &out, 1, MPI_LONG, MPI_SUM, comm); };
  const auto below = [=] { nothing(&in, &out, 1, MPI_LONG, MPI_SUM, comm); };
  const auto waits = [] { return MPI_Wait(&none, MPI_STATUS_IGNORE); };
  const auto waits_below = [] { return PMPI_Wait(&none, MPI_STATUS_IGNORE); };
  const auto probes = [=] { return MPI_Probe(MPI_PROC_NULL, 0, comm, MPI_STATUS_IGNORE); };
  const auto probes_below = [=] { return PMPI_Probe(MPI_PROC_NULL, 0, comm, MPI_STATUS_IGNORE); };
  const double ns = ns_per_tick(), clock = time_of([] {});
  std::printf("MPI_Wait for nothing: %.1f ns on top of MPI's own, MPI_Probe of nobody: %.1f ns\n",
              ns * (time_of(waits) - time_of(waits_below)), ns * (time_of(probes) - time_of(probes_below)));
  std::printf("native exscan of 8 bytes: %.1f ns on top of MPI's own\n", ns * (time_of(exscan) - time_of(below)));
  std::printf("grafted bcast of 8 bytes at the root: %.1f ns before its first message, %.1f ns in all\n",
              ns * (time_to_first_message(bcast) - clock), ns * (time_of(bcast) - clock));
  std::printf("grafted scan of 8 bytes at rank 0: %.1f ns before its first message, %.1f ns in all\n",
              ns * (time_to_first_message(scan) - clock), ns * (time_of(scan) - clock));
}

}  // namespace
}  // namespace mpigraft::bench

int main(int argc, char** argv) {
  using namespace mpigraft;
  if (argc > 1) bench::calls = std::atoi(argv[1]);
  setenv("MPIGRAFT_SHARED", "0", 1);
  setenv("MPIGRAFT_FORCE", "bcast=binomial,scan=simultaneous_binomial,exscan=native", 1);
  MPI_Init(&argc, &argv);
  int rank = 0, size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm comm;  // its ranks are out of step afterwards
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  test::agree_on(comm);
  long in = 1, out = 0;
  MPI_Bcast(&in, 1, MPI_LONG, 0, comm);
  MPI_Scan(&in, &out, 1, MPI_LONG, MPI_SUM, comm);
  MPI_Exscan(&in, &out, 1, MPI_LONG, MPI_SUM, comm);
  if (rank == 0 && size == 2) {
    const abi::Pmpi real = abi::pmpi;
    const auto real_forms = abi::native_forms;
    abi::native_forms[static_cast<std::size_t>(Collective::exscan)][0].narrow = reinterpret_cast<void*>(bench::nothing);
    abi::pmpi.Isend = bench::sent_at_once;
    abi::pmpi.Irecv = bench::received_at_once;
    abi::pmpi.Wait = bench::over_at_once;
    bench::measure(comm);
    abi::pmpi = real;
    abi::native_forms = real_forms;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return size == 2 ? 0 : 1;
}
