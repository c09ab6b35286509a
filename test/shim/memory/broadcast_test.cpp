// SPDX-License-Identifier: MIT
// The protocol of shim/memory/broadcast_buffer.hpp, in all interleavings of two or three ranks that publish and read a
// little. Nothing is read before it is complete, nothing written before its readers are done, and all come to an end.
#include "shim/memory/broadcast_buffer.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdio>
#include <vector>

#include "test/shim/memory/broadcast_protocols.hpp"
#include "test/shim/memory/interleavings.hpp"

using namespace mpigraft;
using namespace mpigraft::memory;
using interleavings::Execution;
using interleavings::Outcome;
using interleavings::until;

namespace {

using Word = interleavings::WordOf<Position>;

/// Waits until the word has come so far.
constexpr auto wait = [](const auto& word, Position at, int) {
  Position found = 0;
  until([&] { return !before(found = word.load(std::memory_order_acquire), at); });
  return found;
};

/// The protocol of jobs, which look until they need not wait.
struct Looks {
  static constexpr auto look = [](const auto& word, Position, int) { return word.load(std::memory_order_acquire); };
  /// In place of a wait that must not happen any more.
  static constexpr auto at_once = [](const auto& word, Position at, int) {
    const Position found = word.load(std::memory_order_acquire);
    if (before(found, at)) Execution::current().problem = "waits";
    return found;
  };

  static void publish(auto& buffers, Position at, std::int64_t bytes, auto, auto write) {
    until([&] { return buffers.make_room(at, bytes, look); });
    buffers.publish(at, bytes, at_once, write);
  }
  static bool read(auto& buffers, int owner, Position at, auto, auto read) {
    until([&] { return !before(buffers.position_in_slot(owner, at, look), at); });
    return buffers.read(owner, at, at_once, read);
  }
};

/// The ranks that publish in a step of a call, and those that read what they do.
struct Step {
  std::vector<int> publish, read;  // ranks
};
using Call = std::vector<Step>;

const Call from_one{{{0}, {1, 2}}, {{0}, {1, 2}}}, to_one{{{1, 2}, {0}}, {{1, 2}, {0}}}, scan{{{0, 1}, {1, 2}}},
    all{{{0, 1, 2}, {0, 1, 2}}}, back{{{1}, {0, 2}}};

struct NoPayload {};

/// A broadcast buffer of n slots and as many parts of two lines.
template <class Word, int n, class Protocol>
class System {
 public:
  System(int p, const std::vector<Call>& calls) : p_(p), calls_(calls) {}

  void run(int me) {
    BroadcastBuffers<B> ends(buffers_.data(), p_, me);
    for (std::size_t call = 0; call < calls_.size(); ++call)
      for (std::size_t s = 0; s < calls_[call].size(); ++s)
        go(ends, me, calls_[call][s], position_of(call + 1, static_cast<std::int64_t>(s)));
  }

 private:
  using B = BroadcastBuffer<Word, NoPayload, n, n, 2>;
  static bool has(const std::vector<int>& ranks, int r) { return std::ranges::count(ranks, r) > 0; }

  void go(BroadcastBuffers<B>& ends, int me, const Step& step, Position at) {
    if (has(step.publish, me))
      Protocol::publish(ends, at, bytes(me, at), wait, [&](auto& slot) {
        for (const void* place : places(slot, me)) Execution::current().write(place, payload(me, at));
      });
    if (!has(step.read, me)) return;
    for (const int owner : step.publish) {
      if (owner == me || owner >= p_) continue;
      const bool is_there = Protocol::read(ends, owner, at, wait, [&](auto& slot) {
        for (const void* place : places(slot, owner)) Execution::current().read(place, payload(owner, at));
      });
      if (!is_there) Execution::current().problem = "not there";
    }
  }

  /// The length of a payload: short, or one or two lines.
  static std::int64_t bytes(int rank, Position at) {
    return (static_cast<Position>(rank) + at + (at >> step_bits)) % 3 * line_bytes;
  }
  /// The slot, and the lines of its payload.
  std::vector<const void*> places(const typename B::Slot& slot, int owner) const {
    std::vector<const void*> all{&slot.tag};
    for (int i = 0; B::is_long(slot.bytes) && i < slot.bytes / line_bytes; ++i)
      all.push_back(&buffers_[static_cast<std::size_t>(owner)].line[slot.line + i]);
    return all;
  }
  static int payload(int rank, Position at) {
    return static_cast<int>((at >> step_bits) * 100 + at % 8 * 10) + rank + 1;
  }

  const int p_;
  const std::vector<Call> calls_;
  std::array<B, 3> buffers_{};
};

template <class Word, int n, class Protocol = protocols::Real>
Outcome explore(int p, const std::vector<Call>& calls) {
  return interleavings::explore<System<Word, n, Protocol>>(p, p, calls);
}

template <int n, class Protocol = protocols::Real>
std::size_t all_is_well(int p, const std::vector<Call>& calls) {
  const Outcome outcome = explore<Word, n, Protocol>(p, calls);
  INFO(p << " ranks, " << n << " slots, " << calls.size() << " calls, " << outcome.states
         << " states: " << outcome.problem);
  CHECK(outcome.is_well());
  return outcome.states;
}

}  // namespace

TEST_CASE("pages in shared memory are whole, and not written before they are read") {
  std::size_t states = 0;
  for (const auto& calls : {std::vector{from_one, from_one, from_one},
                            {to_one, to_one},
                            {all, all, all, all},
                            {from_one, back, to_one, back, scan}})
    states += all_is_well<1>(2, calls) + all_is_well<2>(2, calls) + all_is_well<4>(2, calls);
  for (const auto& calls :
       {std::vector{from_one, from_one}, {to_one, to_one}, {scan, scan, scan}, {all, all, all}, {from_one, back, scan}})
    states += all_is_well<2>(3, calls);
  std::printf("broadcast buffers: %zu states\n", states);
}

TEST_CASE("a rank that has looked for a page, or for room, does not wait for it") {
  all_is_well<1, Looks>(2, {from_one, from_one});
  all_is_well<2, Looks>(2, {all, all});
}

TEST_CASE("a wrong protocol of pages is found in some interleaving") {
  const std::vector<Call> calls{from_one, from_one};
  CHECK(explore<Word, 2, protocols::PublishesWithoutWaiting>(2, calls).problem == "written while it may be read");
  CHECK(explore<Word, 2, protocols::WaitsForTooLittle>(2, calls).problem == "written while it may be read");
  CHECK(explore<Word, 2, protocols::EntersTooEarly>(2, calls).problem == "written while it may be read");
  CHECK(!explore<Word, 2, protocols::TurnsBeforeWriting>(2, calls).problem.empty());
  CHECK(!explore<Word, 2, protocols::ReadsWithoutWaiting>(2, calls).problem.empty());
  CHECK(!explore<interleavings::Relaxed<Word>, 2>(2, calls).problem.empty());
}
