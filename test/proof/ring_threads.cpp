// SPDX-License-Identifier: MIT
// The protocol of shim/ring.hpp between threads at full speed: a message of every length, over and over. The thread
// sanitizer looks on where there is one.
#include "shim/ring.hpp"

#include <array>
#include <cstdio>
#include <cstring>
#include <thread>

using namespace mpigraft;

namespace {

using SharedWord = std::atomic<std::uint32_t>;
constexpr int messages = 200'000, longest = 512;
Ring<SharedWord, 4> ring{};
Slots<SharedWord, 2, longest> slots{};

int length_of(int number) { return number * 7 % (longest + 1); }

void send_all() {
  Writer writer(ring);
  for (int number = 1; number <= messages; ++number) {
    const Fragment fragment{.call = static_cast<std::uint32_t>(number), .bytes = length_of(number)};
    const auto fill = [&](char* text) { std::memset(text, number % 127, static_cast<std::size_t>(fragment.bytes)); };
    while (!send_fragment(writer, slots, fragment, fill)) std::this_thread::yield();
  }
}

int receive_all() {
  Reader reader(ring);
  int wrong = 0;
  for (int number = 1; number <= messages; ++number) {
    auto* cell = reader.look();
    for (; !cell; cell = reader.look()) std::this_thread::yield();
    wrong += cell->fragment.call != static_cast<std::uint32_t>(number) || cell->fragment.bytes != length_of(number);
    take_fragment(reader, *cell, slots, [&](const char* text) {
      for (int i = 0; i < length_of(number); ++i) wrong += text[i] != number % 127;
    });
  }
  return wrong;
}

}  // namespace

int main() {
  std::thread sender(send_all);
  const int wrong = receive_all();
  sender.join();
  std::printf("%d messages, %d defects\n", messages, wrong);
  return wrong != 0;
}
