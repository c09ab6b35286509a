// SPDX-License-Identifier: MIT
// Long messages between the ranks of a node are read out of their sender's memory. Results are right, even if the
// system refuses from the start, from some read on, or in the middle of a message.
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <limits>
#include <numeric>
#include <vector>

#include "shim/bench/forced.hpp"
#include "test/preload/programs/check.h"

namespace {

constexpr long without_end = std::numeric_limits<long>::max();
long permitted = without_end;  // reads from now on
long reads = 0;                // of more than a word, that succeeded

}  // namespace

/// The shim's; this definition comes before libc's.
extern "C" ssize_t process_vm_readv(pid_t process, const iovec* here, unsigned long n, const iovec* there,
                                    unsigned long m, unsigned long flags) {
  if (permitted <= 0) {
    errno = EPERM;
    return -1;
  }
  if (permitted != without_end) --permitted;
  const long read = syscall(SYS_process_vm_readv, process, here, n, there, m, flags);
  if (read > static_cast<long>(sizeof(long))) ++reads;
  return read;
}

namespace mpigraft::test {
namespace {

void expect(bool held, const char* what, const char* algorithm, int count) {
  if (held) return;
  ++failures;
  std::fprintf(stderr, "rank %d of %d, %s of %d elements: %s\n", rank, size, algorithm, count, what);
}

long reads_of_all() {
  long all = 0;
  PMPI_Allreduce(&reads, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

std::vector<long> numbers(int count, long of) {
  std::vector<long> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), of);
  return all;
}

/// A broadcast and a scan, each by messages of `count` elements. False if one returns an error.
bool right_calls(const Forced& bcast, const Forced& scan, int count) {
  std::vector<long> message = rank == 0 ? numbers(count, 7) : std::vector<long>(static_cast<std::size_t>(count));
  if (MPI_Bcast(message.data(), count, MPI_LONG, 0, bcast.comm()) != MPI_SUCCESS) return false;
  expect(message == numbers(count, 7), "wrong message", "bcast/binomial", count);
  const std::vector<long> mine = numbers(count, rank);
  std::vector<long> sums(mine.size()), right(mine.size());
  if (MPI_Scan(mine.data(), sums.data(), count, MPI_LONG, MPI_SUM, scan.comm()) != MPI_SUCCESS) return false;
  for (std::size_t i = 0; i < right.size(); ++i)
    right[i] = (rank + 1) * static_cast<long>(i) + static_cast<long>(rank) * (rank + 1) / 2;
  expect(sums == right, "wrong sums", "scan/hillis_steele", count);
  return true;
}

struct Pair {
  const Forced bcast{table::Choice{find_algorithm("bcast/binomial")}},
      scan{table::Choice{find_algorithm("scan/hillis_steele")}};
};

void test_lending() {
  const Pair pair;
  for (const int count : {1, 2047, 2049, 16385, 40000, 300000}) {
    const long before = reads_of_all();
    expect(right_calls(pair.bcast, pair.scan, count), "an error", "a call", count);
    const bool read = reads_of_all() > before;
    if (count * sizeof(long) > 128 << 10) expect(read, "no rank read another's memory", "a call", count);
    if (count * sizeof(long) < 16 << 10)
      expect(!read, "a short message was read from another's memory", "a call", count);
  }
}

/// Each rank is refused another read, also in the middle of a message, which then comes as copies.
void test_refusals() {
  constexpr int count = 40000;  // several parts
  for (long first = 0; first < 8; ++first) {
    const Pair pair;
    expect(right_calls(pair.bcast, pair.scan, count), "an error", "a first call", count);
    permitted = first + rank % 2;
    for (int i = 0; i < 3; ++i) expect(right_calls(pair.bcast, pair.scan, count), "an error", "a call", count);
    permitted = without_end;
  }
}

/// Nobody reads where one rank cannot read the first one's memory. Longer messages are MPI's then, which may read.
void test_probe() {
  permitted = rank == 1 ? 0 : without_end;
  const long before = reads_of_all();
  const Pair pair;
  expect(right_calls(pair.bcast, pair.scan, 1), "an error", "a first call", 1);
  permitted = without_end;
  expect(right_calls(pair.bcast, pair.scan, 8000), "an error", "a call", 8000);
  expect(reads_of_all() == before, "read although a rank could not", "a call", 8000);
}

}  // namespace
}  // namespace mpigraft::test

int main(int argc, char** argv) {
  using namespace mpigraft::test;
  start(&argc, &argv);
  test_lending();
  test_refusals();
  test_probe();
  MPI_Finalize();
  return failures > 0;
}
