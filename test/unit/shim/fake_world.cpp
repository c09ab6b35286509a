// SPDX-License-Identifier: MIT
#include "test/unit/shim/fake_world.hpp"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <exception>
#include <new>

namespace mpigraft::test {
namespace {

constexpr unsigned longest_run = 60;  // seconds; ranks that wait for one another in vain must not hang the tests

World* shared = nullptr;
int rank_here = 0;

World* make_world(int size) {
  void* const memory = mmap(nullptr, sizeof(World), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  auto* const made = new (memory) World;
  made->size = size;
  pthread_barrierattr_t attributes;
  pthread_barrierattr_init(&attributes);
  pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_barrier_init(&made->barrier, &attributes, static_cast<unsigned>(size));
  return made;
}

[[noreturn]] void live_as(int rank, const std::function<void(int, void*)>& rank_main) {
  alarm(longest_run);
  rank_here = rank;
  int code = 0;
  try {
    rank_main(rank, shared->results[static_cast<std::size_t>(rank)].data());
  } catch (const std::exception&) {
    code = 1;
  }
  _exit(code);
}

}  // namespace

World& world() {
  if (!shared) shared = make_world(1);
  return *shared;
}

int own_rank() { return rank_here; }

bool run_ranks(int size, std::size_t bytes, const std::function<void(int, void*)>& rank_main, void* results) {
  World* const before = shared;
  shared = make_world(size);
  std::vector<pid_t> processes;
  for (int rank = 0; rank < size; ++rank) {
    const pid_t process = fork();
    if (process == 0) live_as(rank, rank_main);
    processes.push_back(process);
  }
  bool good = true;
  for (const pid_t process : processes) {
    int status = 0;
    good = waitpid(process, &status, 0) == process && status == 0 && good;
  }
  for (int rank = 0; rank < size; ++rank)
    std::memcpy(static_cast<char*>(results) + static_cast<std::size_t>(rank) * bytes,
                shared->results[static_cast<std::size_t>(rank)].data(), bytes);
  munmap(shared, sizeof(World));
  shared = before;
  return good;
}

}  // namespace mpigraft::test
