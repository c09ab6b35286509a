// SPDX-License-Identifier: MIT
// The protocol of shim/memory/board.hpp as it is, and ways that are wrong in one thing each.
#pragma once

#include <functional>

#include "shim/memory/board.hpp"

namespace mpigraft::ways {

struct Real {
  template <class Boards, class Wait, class Write>
  static void publish(Boards& boards, memory::Position at, std::int64_t bytes, Wait wait, Write write) {
    boards.publish(at, bytes, wait, write);
  }
  template <class Boards, class Wait, class Read>
  static bool read(Boards& boards, int owner, memory::Position at, Wait wait, Read read) {
    return boards.read(owner, at, wait, read);
  }
};

inline constexpr auto at_once = [](const auto&, memory::Position at, int) { return at; };

struct PublishesWithoutWaiting : Real {
  template <class Boards, class Wait, class Write>
  static void publish(Boards& boards, memory::Position at, std::int64_t bytes, Wait, Write write) {
    boards.publish(at, bytes, at_once, write);
  }
};

/// Waits until all have begun with what this rank's cell holds, not until they are done with it.
struct WaitsForTooLittle : Real {
  template <class Boards, class Wait, class Write>
  static void publish(Boards& boards, memory::Position at, std::int64_t bytes, Wait wait, Write write) {
    boards.publish(
        at, bytes, [=](const auto& word, memory::Position done, int rank) { return wait(word, done - 1, rank); },
        write);
  }
};

struct TurnsBeforeWriting : Real {
  template <class Boards, class Wait, class Write>
  static void publish(Boards& boards, memory::Position at, std::int64_t bytes, Wait wait, Write write) {
    std::function<void()> late;
    boards.publish(at, bytes, wait, [&](auto& cell) { late = [&] { write(cell); }; });
    late();
  }
};

struct ReadsWithoutWaiting : Real {
  template <class Boards, class Wait, class Read>
  static bool read(Boards& boards, int owner, memory::Position at, Wait, Read read) {
    return boards.read(owner, at, at_once, read);
  }
};

/// Says that it is done with a step before it reads it.
struct EntersTooEarly : Real {
  template <class Boards, class Wait, class Read>
  static bool read(Boards& boards, int owner, memory::Position at, Wait wait, Read read) {
    return boards.read(owner, at, wait, [&](auto& cell) {
      boards.enter(at + 1);
      read(cell);
    });
  }
};

/// Calls f(way) for all of them.
template <class F>
void for_each_wrong_way(F f) {
  f(PublishesWithoutWaiting{});
  f(WaitsForTooLittle{});
  f(TurnsBeforeWriting{});
  f(ReadsWithoutWaiting{});
  f(EntersTooEarly{});
}

}  // namespace mpigraft::ways
