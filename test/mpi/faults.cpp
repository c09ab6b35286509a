// SPDX-License-Identifier: MIT
// A rank without memory for its scratch: nobody hangs, the rank and all that depend on it get MPI_ERR_NO_MEM
// through the communicator's error handler, and the next call is right again. A rank that needs no scratch makes its
// call as ever.
#include <malloc.h>

#include "shim/bench/collectives.hpp"
#include "shim/bench/forced.hpp"
#include "test/preload/programs/check.h"

namespace {
bool out_of_memory = false;
int refused = 0;  // times
}  // namespace

/// The shim's allocator of scratch; this definition comes before libc's.
extern "C" void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  if (out_of_memory && alignment == 64) ++refused;  // schedules are lists of less
  return out_of_memory ? nullptr : memalign(alignment, bytes);
}

namespace mpigraft::test {
namespace {

constexpr int count = 20000;
int in_need;  // algorithms that need scratch at the rank without memory
int handled;  // class that the communicator's handler saw last

void handler(MPI_Comm*, int* code, ...) { MPI_Error_class(*code, &handled); }

/// True if the result of this rank is made from what rank `failing` sends.
bool depends_on(const CollectiveInfo& info, collective row, int failing, int root) {
  const ranks sources = sources_of(row, rank, size, root, 0);
  const bool sends_a_part = info.sources == Sources::of_owner;
  return rank == failing || sends_a_part ||
         ((has_result(row, rank, root) || !info.moves_data()) && sources.lo <= failing && failing < sources.hi);
}

/// True if this rank holds the sum of rank + 1 over its sources or, without a result, what it held before.
bool is_right(collective row, long held, long before, int root) {
  const auto [lo, hi] = sources_of_one(row, rank, size, root);
  return held == (lo < hi ? static_cast<long>(hi - lo) * (lo + hi + 1) / 2 : before);
}

void expect(bool held, const char* what, std::string_view name, int failing) {
  if (held) return;
  ++failures;
  std::fprintf(stderr, "rank %d of %d: %s, rank %d without memory: %s\n", rank, size, name.data(), failing, what);
}

void test_failing(int index, int failing) {
  constexpr int root = 0;
  const Listed& entry = listed[static_cast<std::size_t>(index)];
  const CollectiveInfo& info = info_of(entry.info->collective);
  const collective row = row_of(entry.info->collective);
  const Forced forced({index});
  MPI_Errhandler watch;
  MPI_Comm_create_errhandler(handler, &watch);
  MPI_Comm_set_errhandler(forced.comm(), watch);
  const long before = input_in_result(row, rank, root) ? rank + 1 : -1;
  std::vector<long> send(count, rank + 1), recv(count, before);
  const arguments call{send.data(), recv.data(), count, MPI_LONG, MPI_SUM, root, forced.comm()};
  handled = MPI_SUCCESS;
  refused = 0;
  out_of_memory = rank == failing;
  const int rc = call_with(row, plain_form, &call);
  out_of_memory = false;
  PMPI_Bcast(&refused, 1, MPI_INT, failing, MPI_COMM_WORLD);
  in_need += refused > 0;
  if (refused == 0) {
    expect(rc == MPI_SUCCESS, "needs no scratch and must succeed", entry.name, failing);
    expect(is_right(row, recv[count - 1], before, root), "needs no scratch, and its result is wrong", entry.name,
           failing);
  } else if (depends_on(info, row, failing, root)) {
    expect(rc == MPI_ERR_NO_MEM, "must return MPI_ERR_NO_MEM", entry.name, failing);
    expect(handled == MPI_ERR_NO_MEM, "its error handler must see MPI_ERR_NO_MEM", entry.name, failing);
  } else {
    expect(rc == MPI_SUCCESS || rc == MPI_ERR_NO_MEM, "another error", entry.name, failing);
  }
  handled = MPI_SUCCESS;
  recv.assign(count, before);
  expect(call_with(row, plain_form, &call) == MPI_SUCCESS, "the next call must succeed", entry.name, failing);
  expect(is_right(row, recv[count - 1], before, root), "the next result is wrong", entry.name, failing);
  MPI_Errhandler_free(&watch);
}

void test_algorithm(int index) {
  for (int failing = 0; failing < size; ++failing)
    if (size <= 3 || failing == 0 || failing == size / 2 || failing == size - 1) test_failing(index, failing);
}

}  // namespace
}  // namespace mpigraft::test

int main(int argc, char** argv) {
  using namespace mpigraft;
  start(&argc, &argv);
  for (int i = 0; i < static_cast<int>(listed.size()); ++i) test::test_algorithm(i);
  const bool enough = test::in_need > (size == 2 ? 40 : 100);
  if (rank == 0)
    std::printf("%zu algorithms with a rank out of memory, p = %d: %d times it needed some%s\n", listed.size(), size,
                test::in_need, enough ? "" : ", which is too rare");
  MPI_Finalize();
  return failures != 0 || !enough;
}
