// SPDX-License-Identifier: MIT
// The protocols of shim/memory/ring.hpp and shim/memory/doorbell.hpp between threads at full speed: a message of every
// length, over and over. A thread that cannot go on sleeps until the other rings, for ever if it does not. The thread
// sanitizer looks on if there is one.
#include "shim/memory/ring.hpp"

#include <array>
#include <cstdio>
#include <cstring>
#include <thread>

#include "shim/memory/doorbell.hpp"

using namespace mpigraft;
using namespace mpigraft::memory;

namespace {

using SharedWord = std::atomic<std::uint32_t>;
constexpr int messages = 200'000, longest = 512;
Ring<SharedWord, 4> ring{};
FragmentBuffers<SharedWord, 2, longest> buffers{};
constexpr int sender = 0, receiver = 1;
Doorbell<SharedWord, std::atomic<Position>> doorbells[2]{};

void sleep_on(const SharedWord& word, std::uint32_t value) { word.wait(value); }
void wake_on(SharedWord& word) { word.notify_one(); }
void ring_doorbell_of(int rank, int me) {
  before_doorbells();
  ring_doorbell(doorbells[rank], me, any_position, wake_on);
}

int length_of(int number) { return number * 7 % (longest + 1); }

void send_all() {
  Writer writer(ring);
  for (int number = 1; number <= messages; ++number) {
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
  for (int number = 1; number <= messages; ++number) {
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

}  // namespace

int main() {
  std::thread sending(send_all);
  const int wrong = receive_all();
  sending.join();
  std::printf("%d messages, %d defects\n", messages, wrong);
  return wrong != 0;
}
