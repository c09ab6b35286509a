// SPDX-License-Identifier: MIT
// A rank without memory for its scratch: nobody hangs, the rank and all that depend on it get MPI_ERR_NO_MEM
// through the communicator's error handler, and the next call is right again.
#include <malloc.h>
#include <mpi.h>

#include <cstdio>

#include "test/mpi/forced.hpp"

namespace {
bool out_of_memory = false;
}

/// The shim's allocator of scratch; this definition comes before libc's.
extern "C" void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  return out_of_memory ? nullptr : memalign(alignment, bytes);
}

namespace mpigraft::test {
namespace {

int rank, size;
int failures;
int handled;  // class that the communicator's handler saw last

void handler(MPI_Comm*, int* code, ...) { MPI_Error_class(*code, &handled); }

int call(Collective collective, long* send, long* recv, int count, MPI_Comm comm, int root) {
  switch (collective) {
    case Collective::scan:
      return MPI_Scan(send, recv, count, MPI_LONG, MPI_SUM, comm);
    case Collective::exscan:
      return MPI_Exscan(send, recv, count, MPI_LONG, MPI_SUM, comm);
    case Collective::bcast:
      return MPI_Bcast(recv, count, MPI_LONG, root, comm);
    case Collective::reduce:
      return MPI_Reduce(send, recv, count, MPI_LONG, MPI_SUM, root, comm);
  }
  return MPI_ERR_INTERN;
}

/// Whether the result of this rank is made from what rank `failing` sends.
bool depends_on(Collective collective, int failing, int root) {
  switch (collective) {
    case Collective::scan:
      return rank >= failing;
    case Collective::exscan:
      return rank > failing || rank == failing;
    case Collective::bcast:
      return failing == root || rank == failing;
    case Collective::reduce:
      return rank == root || rank == failing;
  }
  return false;
}

void expect(bool held, const char* what, std::string_view name, int failing) {
  if (held) return;
  ++failures;
  std::fprintf(stderr, "rank %d of %d: %s, rank %d without memory: %s\n", rank, size, name.data(), failing, what);
}

void test_algorithm(int index) {
  const Listed& entry = listed[static_cast<std::size_t>(index)];
  constexpr int count = 20000, root = 0;
  for (int failing = 0; failing < size; ++failing) {
    if (size > 3 && failing != 0 && failing != size / 2 && failing != size - 1) continue;
    const Forced forced({index});
    MPI_Errhandler watch;
    MPI_Comm_create_errhandler(handler, &watch);
    MPI_Comm_set_errhandler(forced.comm(), watch);
    std::vector<long> send(count, rank + 1), recv(count, rank == root ? 7 : 0);
    handled = MPI_SUCCESS;
    out_of_memory = rank == failing;
    const int rc = call(entry.info->collective, send.data(), recv.data(), count, forced.comm(), root);
    out_of_memory = false;
    if (depends_on(entry.info->collective, failing, root)) {
      expect(rc == MPI_ERR_NO_MEM, "must return MPI_ERR_NO_MEM", entry.name, failing);
      expect(handled == MPI_ERR_NO_MEM, "its error handler must see MPI_ERR_NO_MEM", entry.name, failing);
    } else {
      expect(rc == MPI_SUCCESS || rc == MPI_ERR_NO_MEM, "another error", entry.name, failing);
    }
    handled = MPI_SUCCESS;
    recv.assign(count, rank == root ? 7 : 0);
    expect(call(entry.info->collective, send.data(), recv.data(), count, forced.comm(), root) == MPI_SUCCESS,
           "the next call must succeed", entry.name, failing);
    const long sum = static_cast<long>(rank) * (rank + 1) / 2, all = static_cast<long>(size) * (size + 1) / 2;
    const long right[] = {sum + rank + 1, rank ? sum : 7, 7, rank == root ? all : 0};
    expect(recv[count - 1] == right[static_cast<std::size_t>(entry.info->collective)], "the next result is wrong",
           entry.name, failing);
    MPI_Errhandler_free(&watch);
  }
}

}  // namespace
}  // namespace mpigraft::test

int main(int argc, char** argv) {
  using namespace mpigraft;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &test::rank);
  MPI_Comm_size(MPI_COMM_WORLD, &test::size);
  for (int i = 0; i < static_cast<int>(listed.size()); ++i) test::test_algorithm(i);
  if (test::rank == 0) std::printf("%zu algorithms with a rank out of memory, p = %d\n", listed.size(), test::size);
  MPI_Finalize();
  return test::failures != 0;
}
