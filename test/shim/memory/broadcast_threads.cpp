// SPDX-License-Identifier: MIT
// The protocol of shim/memory/broadcast_buffer.hpp between threads at full speed: now one publishes for all, now all
// for one, now all for all, in more steps than there are slots. The thread sanitizer looks on where there is one.
#include "shim/memory/broadcast_buffer.hpp"

#include <array>
#include <cstdio>
#include <cstring>
#include <thread>

using namespace mpigraft;
using namespace mpigraft::memory;

namespace {

constexpr int ranks = 3, calls = 6'000, steps = 5, longest = 512;
using SharedBroadcastBuffer = BroadcastBuffer<std::atomic<Position>, PayloadLine, 4, 3, longest / line_bytes>;
std::array<SharedBroadcastBuffer, ranks> buffers{};

Position wait(const std::atomic<Position>& word, Position at, int) {
  for (;;) {
    const Position found = word.load(std::memory_order_acquire);
    if (!before(found, at)) return found;
    std::this_thread::yield();
  }
}

int length_of(Position at, int rank) {
  return static_cast<int>((at + (at >> step_bits) * 7 + static_cast<Position>(rank) * 3) % longest) + 1;
}
int letter_of(Position at, int rank) {
  return static_cast<int>((at + (at >> step_bits) * 5 + static_cast<Position>(rank)) % 127);
}

struct Roles {
  bool publishes, reads;
};
/// Calls are from one to all, from all to one, and from all to all.
Roles roles(int call, int rank) {
  const int root = call / 3 % ranks;
  if (call % 3 == 0) return {rank == root, rank != root};
  if (call % 3 == 1) return {rank != root, rank == root};
  return {true, true};
}

int read_page(BroadcastBuffers<SharedBroadcastBuffer>& ends, int owner, Position at) {
  int wrong = 0;
  const bool is_there = ends.read(owner, at, wait, [&](SharedBroadcastBuffer::Slot& slot) {
    wrong += slot.bytes != length_of(at, owner);
    for (int i = 0; i < length_of(at, owner); ++i)
      wrong += buffers[static_cast<std::size_t>(owner)].payload_of(slot)[i] != letter_of(at, owner);
  });
  return wrong + !is_there;
}

/// Rank `me`; returns the number of payloads that were not as published.
int run(int me) {
  BroadcastBuffers<SharedBroadcastBuffer> ends(buffers.data(), ranks, me);
  int wrong = 0;
  for (int call = 1; call <= calls; ++call)
    for (int step = 0; step < steps; ++step) {
      const Position at = position_of(static_cast<std::uint64_t>(call), step);
      if (roles(call, me).publishes)
        ends.publish(at, length_of(at, me), wait, [&](SharedBroadcastBuffer::Slot& slot) {
          std::memset(buffers[static_cast<std::size_t>(me)].payload_of(slot), letter_of(at, me),
                      static_cast<std::size_t>(slot.bytes));
        });
      for (int owner = 0; roles(call, me).reads && owner < ranks; ++owner)
        if (owner != me && roles(call, owner).publishes) wrong += read_page(ends, owner, at);
    }
  return wrong;
}

}  // namespace

int main() {
  std::array<int, ranks> wrong{};
  {
    std::array<std::jthread, ranks> threads;
    for (std::size_t r = 0; r < threads.size(); ++r)
      threads[r] = std::jthread([&wrong, r] { wrong[r] = run(static_cast<int>(r)); });
  }
  const int defects = wrong[0] + wrong[1] + wrong[2];
  std::printf("%d calls of %d steps, %d defects\n", calls, steps, defects);
  return defects != 0;
}
