// SPDX-License-Identifier: MIT
// The protocols of shim/memory/ring.hpp, doorbell.hpp and broadcast_buffer.hpp between threads at full speed. The
// thread sanitizer looks on if there is one.
#include <array>
#include <catch2/catch.hpp>
#include <cstring>
#include <thread>

#include "shim/memory/broadcast_buffer.hpp"
#include "shim/memory/doorbell.hpp"
#include "shim/memory/ring.hpp"

using namespace mpigraft;
using namespace mpigraft::memory;

namespace {

constexpr int longest = 512;

namespace messages {

using SharedWord = std::atomic<std::uint32_t>;
constexpr int count = 200'000;
Ring<SharedWord, 4> ring{};
FragmentBuffers<SharedWord, 2, longest> buffers{};
constexpr int sender = 0, receiver = 1;
Doorbell<SharedWord, std::atomic<Position>> doorbells[2]{};

void sleep_on(const SharedWord& word, std::uint32_t value) { word.wait(value); }
/// libstdc++ looks whether anybody waits, and must not do so before the store that wakes.
void wake_on(SharedWord& word) {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  word.notify_one();
}
void ring_doorbell_of(int rank, int me) {
  before_doorbells();
  ring_doorbell(doorbells[rank], me, any_position, wake_on);
}

int length_of(int number) { return number * 7 % (longest + 1); }

void send_all() {
  Writer writer(ring);
  for (int number = 1; number <= count; ++number) {
    const Fragment fragment{.call = static_cast<std::uint32_t>(number), .bytes = length_of(number)};
    const auto fill = [&](char* payload) {
      std::memset(payload, number % 127, static_cast<std::size_t>(fragment.bytes));
    };
    bool sent = false;
    const auto send = [&] { return sent = send_fragment(writer, buffers, fragment, fill); };
    while (!sent && !send()) sleep_unless(doorbells[sender], anyone, any_position, send, sleep_on);
    ring_doorbell_of(receiver, sender);
  }
}

int receive_all() {
  Reader reader(ring);
  int wrong = 0;
  for (int number = 1; number <= count; ++number) {
    auto* slot = reader.poll();
    const auto poll = [&] { return slot = reader.poll(); };
    while (!slot && !poll()) sleep_unless(doorbells[receiver], only(sender), any_position, poll, sleep_on);
    wrong += slot->fragment.call != static_cast<std::uint32_t>(number) || slot->fragment.bytes != length_of(number);
    take_fragment(reader, *slot, buffers, [&](const char* payload) {
      for (int i = 0; i < length_of(number); ++i) wrong += payload[i] != number % 127;
    });
    ring_doorbell_of(sender, receiver);
  }
  return wrong;
}

}  // namespace messages

namespace pages {

constexpr int ranks = 3, calls = 6'000, steps = 5;
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

}  // namespace pages

}  // namespace

// A message of every length, over and over. A thread that cannot go on sleeps until the other rings, for ever if it
// does not.
TEST_CASE("messages between threads are whole, and nobody sleeps for ever") {
  std::jthread sending(messages::send_all);
  CHECK(messages::receive_all() == 0);
}

// Now one publishes for all, now all for one, now all for all, in more steps than there are slots.
TEST_CASE("pages between threads are whole") {
  std::array<int, pages::ranks> wrong{};
  {
    std::array<std::jthread, pages::ranks> threads;
    for (std::size_t r = 0; r < threads.size(); ++r)
      threads[r] = std::jthread([&wrong, r] { wrong[r] = pages::run(static_cast<int>(r)); });
  }
  CHECK(wrong == std::array<int, pages::ranks>{});
}
