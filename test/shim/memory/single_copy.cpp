// SPDX-License-Identifier: MIT
// Long messages between the ranks of a node are read out of their sender's memory. Results are right, even if the
// system refuses from the start, from some read on, or in the middle of a message.
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <limits>

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

long reads_of_all() {
  long all = 0;
  PMPI_Allreduce(&reads, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

struct Pair {
  const Forced by_tree{table::Choice{find_algorithm("bcast/binomial")}},
      by_doubling{table::Choice{find_algorithm("scan/hillis_steele")}};

  /// A broadcast and a scan, each by messages of `count` elements.
  void call(int count) const {
    expect(is_right(bcast, count, 0, by_tree.comm()), "bcast/binomial");
    expect(is_right(scan, count, 0, by_doubling.comm()), "scan/hillis_steele");
  }
};

void test_lending() {
  const Pair pair;
  for (const int count : {1, 2047, 2049, 16385, 40000, 300000}) {
    const long before = reads_of_all();
    pair.call(count);
    const bool read = reads_of_all() > before;
    if (count * sizeof(long) > 128 << 10) expect(read, "no rank read another's memory");
    if (count * sizeof(long) < 16 << 10) expect(!read, "a short message was read from another's memory");
  }
}

/// Each rank is refused another read, also in the middle of a message, which then comes as copies.
void test_refusals() {
  constexpr int count = 40000;  // several parts
  for (long first = 0; first < 8; ++first) {
    const Pair pair;
    pair.call(count);
    permitted = first + rank % 2;
    for (int i = 0; i < 3; ++i) pair.call(count);
    permitted = without_end;
  }
}

/// Nobody reads where one rank cannot read the first one's memory. Longer messages are MPI's then, which may read.
void test_probe() {
  permitted = rank == 1 ? 0 : without_end;
  const long before = reads_of_all();
  const Pair pair;
  pair.call(1);
  permitted = without_end;
  pair.call(8000);
  expect(reads_of_all() == before, "read although a rank could not");
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
