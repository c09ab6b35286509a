// SPDX-License-Identifier: MIT
// The protocol of shim/memory/broadcast_buffer.hpp as it is, and protocols that are wrong in one thing each.
#pragma once

#include <cstdint>
#include <functional>

#include "shim/memory/broadcast_buffer.hpp"
#include "test/shim/memory/interleavings.hpp"

namespace mpigraft::protocols {

using interleavings::Execution;
using memory::Position;

inline constexpr auto await = [](const auto& word, Position at, int) { return word.await(at); };
inline constexpr auto at_once = [](const auto&, Position at, int) { return at; };

/// The protocol as it is.
struct Real {
  static void publish(auto& buffers, Position at, std::int64_t bytes, auto wait, auto write) {
    buffers.publish(at, bytes, wait, write);
  }
  static bool read(auto& buffers, int owner, Position at, auto read) { return buffers.read(owner, at, await, read); }
};

/// The protocol of jobs, which look until they need not wait.
struct Looks {
  static constexpr auto look = [](const auto& word, Position, int) { return word.load(std::memory_order_acquire); };
  static constexpr auto never_wait = [](const auto& word, Position at, int) {
    const Position found = word.load(std::memory_order_acquire);
    Execution::current().expect(!memory::before(found, at), "waits");
    return found;
  };

  static void publish(auto& buffers, Position at, std::int64_t bytes, auto, auto write) {
    Execution::current().until([&] { return buffers.make_room(at, bytes, look); });
    buffers.publish(at, bytes, never_wait, write);
  }
  static bool read(auto& buffers, int owner, Position at, auto read) {
    Execution::current().until([&] { return !memory::before(buffers.position_in_slot(owner, at, look), at); });
    return buffers.read(owner, at, never_wait, read);
  }
};

struct PublishesWithoutWaiting : Real {
  static void publish(auto& buffers, Position at, std::int64_t bytes, auto, auto write) {
    buffers.publish(at, bytes, at_once, write);
  }
};

/// Waits until all have begun with what this rank's slot holds, not until they are done with it.
struct WaitsForTooLittle : Real {
  static void publish(auto& buffers, Position at, std::int64_t bytes, auto wait, auto write) {
    const auto wait_too_little = [=](const auto& word, Position done, int rank) { return wait(word, done - 1, rank); };
    buffers.publish(at, bytes, wait_too_little, write);
  }
};

struct TurnsBeforeWriting : Real {
  static void publish(auto& buffers, Position at, std::int64_t bytes, auto wait, auto write) {
    std::function<void()> late;
    buffers.publish(at, bytes, wait, [&](auto& slot) { late = [&] { write(slot); }; });
    late();
  }
};

struct ReadsWithoutWaiting : Real {
  static bool read(auto& buffers, int owner, Position at, auto read) { return buffers.read(owner, at, at_once, read); }
};

/// Says that it is done with a step before it reads it.
struct EntersTooEarly : Real {
  static bool read(auto& buffers, int owner, Position at, auto read) {
    return buffers.read(owner, at, await, [&](auto& slot) {
      buffers.enter(at + 1);
      read(slot);
    });
  }
};

/// Calls f(protocol) for all that are wrong.
void for_each_wrong_protocol(auto f) {
  f(PublishesWithoutWaiting{});
  f(WaitsForTooLittle{});
  f(TurnsBeforeWriting{});
  f(ReadsWithoutWaiting{});
  f(EntersTooEarly{});
}

}  // namespace mpigraft::protocols
