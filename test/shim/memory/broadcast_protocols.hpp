// SPDX-License-Identifier: MIT
// The protocol of shim/memory/broadcast_buffer.hpp as it is, and protocols that are wrong in one thing each.
#pragma once

#include <functional>

#include "shim/memory/broadcast_buffer.hpp"

namespace mpigraft::protocols {

struct Real {
  static void publish(auto& buffers, memory::Position at, std::int64_t bytes, auto wait, auto write) {
    buffers.publish(at, bytes, wait, write);
  }
  static bool read(auto& buffers, int owner, memory::Position at, auto wait, auto read) {
    return buffers.read(owner, at, wait, read);
  }
};

inline constexpr auto at_once = [](const auto&, memory::Position at, int) { return at; };

struct PublishesWithoutWaiting : Real {
  static void publish(auto& buffers, memory::Position at, std::int64_t bytes, auto, auto write) {
    buffers.publish(at, bytes, at_once, write);
  }
};

/// Waits until all have begun with what this rank's slot holds, not until they are done with it.
struct WaitsForTooLittle : Real {
  static void publish(auto& buffers, memory::Position at, std::int64_t bytes, auto wait, auto write) {
    buffers.publish(
        at, bytes, [=](const auto& word, memory::Position done, int rank) { return wait(word, done - 1, rank); },
        write);
  }
};

struct TurnsBeforeWriting : Real {
  static void publish(auto& buffers, memory::Position at, std::int64_t bytes, auto wait, auto write) {
    std::function<void()> late;
    buffers.publish(at, bytes, wait, [&](auto& slot) { late = [&] { write(slot); }; });
    late();
  }
};

struct ReadsWithoutWaiting : Real {
  static bool read(auto& buffers, int owner, memory::Position at, auto, auto read) {
    return buffers.read(owner, at, at_once, read);
  }
};

/// Says that it is done with a step before it reads it.
struct EntersTooEarly : Real {
  static bool read(auto& buffers, int owner, memory::Position at, auto wait, auto read) {
    return buffers.read(owner, at, wait, [&](auto& slot) {
      buffers.enter(at + 1);
      read(slot);
    });
  }
};

/// Calls f(protocol) for all of them.
void for_each_wrong_protocol(auto f) {
  f(PublishesWithoutWaiting{});
  f(WaitsForTooLittle{});
  f(TurnsBeforeWriting{});
  f(ReadsWithoutWaiting{});
  f(EntersTooEarly{});
}

}  // namespace mpigraft::protocols
