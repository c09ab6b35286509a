// SPDX-License-Identifier: MIT
// The memory that the processes of the fake MPI share.
#pragma once

#include <pthread.h>

#include <array>
#include <atomic>
#include <cstddef>

#include "test/unit/shim/fake_mpi.hpp"

namespace mpigraft::test {

/// Letters from one rank to one other. Those of a communicator are taken in the order in which they were sent.
struct Mail {
  struct Letter {
    abi::Comm comm = abi::Comm::null;
    bool taken = false;
    int tag = 0;
    std::size_t bytes = 0;
    std::array<char, 16384> text;
  };
  static constexpr std::uint32_t room = 8;

  std::atomic<std::uint32_t> written{0}, read{0};
  std::array<Letter, room> letters;
};

struct World {
  int size = 1;
  pthread_barrier_t barrier;
  std::array<std::array<char, 4096>, most_ranks> slots;
  std::array<std::array<Mail, most_ranks>, most_ranks> mail;  // [from][to]
  std::array<std::array<char, longest_result>, most_ranks> results;
};

World& world();
int own_rank();

/// Every rank's bytes lie in its slot while `look` runs. Collective.
template <class F>
void meet(const void* own, std::size_t bytes, F look) {
  if (bytes > 0) std::memcpy(world().slots[static_cast<std::size_t>(own_rank())].data(), own, bytes);
  pthread_barrier_wait(&world().barrier);
  look(world().slots);
  pthread_barrier_wait(&world().barrier);
}

}  // namespace mpigraft::test
