// SPDX-License-Identifier: MIT
// Random calls of the grafted collectives. The shim is linked in, so MPI_Scan is the grafted call with its whole path.
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <climits>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string_view>

#include "algorithms/catalogue.hpp"
#include "test/fuzz/case.hpp"

namespace mpigraft::fuzz {
namespace {

constexpr const char* usage = R"(usage: mpiexec -n P fuzz [options]

Random calls of the grafted collectives, judged by results computed locally. Stops at the first wrong one.

  --seconds S   stop after about so long (default: 10, or no limit where --cases is given);
                with MPIGRAFT_FULL=1 in the environment 20 times as long
  --cases N     stop after so many cases
  --seed N      another sequence of cases (default: 1)
  --first K     begin with case K
  --case K      case K alone, described
)";

struct Options {
  unsigned long long seed = 1;
  long long first = 0;  // number of the first case
  long long cases = LLONG_MAX;
  double seconds = std::numeric_limits<double>::infinity();
  bool explain = false;  // describe every case before it runs

  /// False if the words are not understood.
  bool parse(int argc, char** argv) {
    for (int i = 1; i < argc; i += 2)
      if (i + 1 == argc || !read(argv[i], argv[i + 1])) return false;
    if (std::isinf(seconds) && cases == Options().cases) seconds = 10;
    const char* const full = std::getenv("MPIGRAFT_FULL");
    if (full && std::strcmp(full, "1") == 0) seconds *= 20;
    return true;
  }

 private:
  bool read(std::string_view name, std::string_view value) {
    const auto number = [value](auto& to) {
      const char* const end = value.data() + value.size();
      const auto [stop, error] = std::from_chars(value.data(), end, to);
      return stop == end && error == std::errc() && to >= 0;
    };
    if (name == "--case") cases = 1, explain = true;
    if (name == "--case" || name == "--first") return number(first);
    if (name == "--seconds") return number(seconds);
    if (name == "--cases") return number(cases);
    return name == "--seed" && number(seed);
  }
};

constexpr unsigned longest_case = 60;     // seconds, then it hangs
constexpr long long cases_for_all = 500;  // among so many, every algorithm has its turn

/// Tells how to run a case again; a signal handler can print it as it is.
char replay[512];

/// True if it is true on any rank. Not by a call of ours.
bool on_any(bool here) {
  int any = here;
  PMPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
  return any != 0;
}

void ends(int) {
  [[maybe_unused]] const auto written = write(STDERR_FILENO, replay, __builtin_strlen(replay));
  _exit(1);
}

class Fuzzer {
 public:
  Fuzzer(const Options& options, int rank, const char* program) : options_(options), rank_(rank), program_(program) {
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    for (const int signal : {SIGALRM, SIGSEGV, SIGBUS, SIGFPE, SIGABRT}) std::signal(signal, ends);
  }

  /// Returns how many cases ran.
  long long run() {
    const long long end = options_.cases > LLONG_MAX - options_.first ? LLONG_MAX : options_.first + options_.cases;
    long long number = options_.first;
    for (bool more = true; more && number < end;) {
      const long long batch = number / cases_in_batch, stop = std::min(end, (batch + 1) * cases_in_batch);
      alarm(longest_case);
      Batch place(options_.seed, batch);
      for (; number < stop; ++number)
        if (place.size() > 1) run_case(place, number);  // one rank alone: the shim forwards every call
      alarm(longest_case);
      more = !on_any(failures_ > 0 || elapsed() > options_.seconds);
    }
    return number - options_.first;
  }

  void report(long long cases) {
    const double seconds = elapsed();
    std::array<long long, listed.size()> all;
    PMPI_Allreduce(calls_.data(), all.data(), static_cast<int>(all.size()), MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (rank_ != 0) return;
    const auto fewest = std::ranges::min_element(all);
    std::printf("%lld cases on %d ranks, seed %llu: %.0f a minute\ncalls of each algorithm: at least %lld (%s)\n",
                cases, size_, options_.seed, static_cast<double>(cases) * 60 / seconds, *fewest,
                listed[static_cast<std::size_t>(fewest - all.begin())].name.data());
    if (*fewest == 0 && cases >= cases_for_all) {
      std::fprintf(stderr, "WRONG: an algorithm was never called\n");
      ++failures_;
    }
    if (!draws_empty_elements)
      std::printf("left out: types without bytes, on which MPICH crashes or hangs from 4.1 on\n");
  }

  bool failed() const { return failures_ > 0; }

 private:
  double elapsed() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

  void run_case(Batch& place, long long number) {
    Case c = draw_case(options_.seed, number, place.size(), place.selection());
    std::snprintf(replay, sizeof replay, "rank %d hangs or crashes; again: mpiexec -n %d %s --seed %llu --case %lld\n",
                  rank_, size_, program_, options_.seed, number);
    alarm(longest_case);
    if (c.forced) place.force(c.collective, *c.forced);
    if (place.rank() == 0 && c.forced && c.bytes() > 0) ++calls_[static_cast<std::size_t>(c.forced->algorithm)];
    const std::string text = c.text();
    if (options_.explain && place.rank() == 0)
      std::printf("%s, %d ranks: %s\n", text.c_str(), c.p, place.text().c_str());
    const std::string wrong = execute(std::move(c), place.comm(), place.rank());
    if (!wrong.empty()) tell(place, number, text, wrong);
  }

  void tell(const Batch& place, long long number, const std::string& text, const std::string& wrong) {
    if (failures_++ >= 3) return;
    const long long first = number / cases_in_batch * cases_in_batch;
    std::fprintf(
        stderr,
        "WRONG at rank %d of %d in case %lld: %s\n  %s; %s\n  again: mpiexec -n %d %s --seed %llu --case %lld\n"
        "  with the calls before it: --seed %llu --first %lld --cases %lld\n",
        place.rank(), place.size(), number, wrong.c_str(), text.c_str(), place.text().c_str(), size_, program_,
        options_.seed, number, options_.seed, first, number - first + 1);
  }

  const Options options_;
  const int rank_;
  int size_ = 1;
  const char* program_;
  std::int64_t failures_ = 0;
  std::array<long long, listed.size()> calls_{};  // by forced algorithm, where this rank was the first
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

int run(int argc, char** argv) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  Options options;
  const bool asks_for_help = argc > 1 && std::string_view(argv[1]) == "--help";
  if (asks_for_help || !options.parse(argc, argv)) {
    if (rank == 0) std::fputs(usage, asks_for_help ? stdout : stderr);
    return asks_for_help ? 0 : 2;
  }
  Fuzzer fuzzer(options, rank, argv[0]);
  fuzzer.report(fuzzer.run());
  return on_any(fuzzer.failed());
}

}  // namespace
}  // namespace mpigraft::fuzz

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int status = mpigraft::fuzz::run(argc, argv);
  MPI_Finalize();
  return status;
}
