// SPDX-License-Identifier: MIT
// The doorbells of shim/memory/doorbell.hpp, in all interleavings: no rank sleeps while what it waits for is there.
// Fences are not modelled, as the steps here have one order for all; ring_threads.cpp runs them on the machine.
#include "shim/memory/doorbell.hpp"

#include <catch2/catch.hpp>

#include "shim/memory/ring.hpp"
#include "test/shim/memory/interleavings.hpp"

using namespace mpigraft;
using namespace mpigraft::memory;
using interleavings::Outcome;
using interleavings::Word;
using Mark = interleavings::WordOf<Position>;

namespace {

/// Sleeps as on a futex, until the word holds something else.
void sleep_on(const Word& word, std::uint32_t value) {
  interleavings::until([&] { return word.load(std::memory_order_relaxed) != value; });
}

void wake_on(const Word&) {}

struct Real {
  static constexpr bool rings_late = true;
  static constexpr std::uint32_t whom(int peer) { return only(peer); }
  static void sleep(Doorbell<Word, Mark>& doorbell, std::uint32_t whom, auto poll) {
    sleep_unless(doorbell, whom, any_position, poll, sleep_on);
  }
};

struct RingsBeforePublishing : Real {
  static constexpr bool rings_late = false;
};

struct WaitsForAnother : Real {
  static constexpr std::uint32_t whom(int peer) { return only(peer + 1); }
};

struct LooksBeforeItSaysSo : Real {
  static void sleep(Doorbell<Word, Mark>& doorbell, std::uint32_t whom, auto poll) {
    if (poll()) return;
    sleep_unless(
        doorbell, whom, any_position, [] { return false; }, sleep_on);
  }
};

/// Rank 0 receives from the others, in any order or one after the other; each sleeps where it cannot go on.
template <class Protocol>
class System {
 public:
  System(int senders, int messages, bool in_order) : senders_(senders), messages_(messages), in_order_(in_order) {}

  void run(int me) { me == 0 ? receive() : send(me); }

 private:
  using R = Ring<Word, 1>;

  void send(int me) {
    Writer<R> writer(rings_[static_cast<std::size_t>(me)]);
    for (int i = 0; i < messages_; ++i) {
      while (!writer.room())
        Protocol::sleep(doorbells_[static_cast<std::size_t>(me)], Protocol::whom(0), [&] { return writer.room(); });
      if (!Protocol::rings_late) ring_doorbell(doorbells_[0], me, any_position, wake_on);
      writer.publish();
      if (Protocol::rings_late) ring_doorbell(doorbells_[0], me, any_position, wake_on);
    }
  }

  void receive() {
    std::array<Reader<R>, 3> readers{Reader<R>(rings_[0]), Reader<R>(rings_[1]), Reader<R>(rings_[2])};
    const auto take = [&](int from) {
      auto& reader = readers[static_cast<std::size_t>(from)];
      if (!reader.poll()) return false;
      reader.done();
      ring_doorbell(doorbells_[static_cast<std::size_t>(from)], 0, any_position, wake_on);
      return true;
    };
    if (in_order_) {
      for (int from = 1; from <= senders_; ++from) receive(Protocol::whom(from), messages_, [&] { return take(from); });
    } else {
      receive(anyone, messages_ * senders_, [&] { return take(1) || (senders_ > 1 && take(2)); });
    }
  }

  void receive(std::uint32_t whom, int n, auto take) {
    const auto counted = [&] {
      const bool taken = take();
      n -= taken;
      return taken;
    };
    while (n > 0)
      if (!counted()) Protocol::sleep(doorbells_[0], whom, counted);
  }

  const int senders_, messages_;
  const bool in_order_;
  std::array<R, 3> rings_{};
  std::array<Doorbell<Word, Mark>, 3> doorbells_{};
};

template <class Protocol>
Outcome explore(int senders, int messages, bool in_order) {
  return interleavings::explore<System<Protocol>>(1 + senders, senders, messages, in_order);
}

/// Rank 0 waits for positions of rank 1, which rings at each one; doorbells in between need not wake it.
template <Position late>
class Positions {
 public:
  void run(int me) { me == 0 ? wait() : come(); }

 private:
  void wait() {
    for (const Position at : {Position{2}, Position{3}})
      while (before(word_.load(std::memory_order_acquire), at))
        sleep_unless(
            doorbell_, only(1), at + late, [&] { return !before(word_.load(std::memory_order_acquire), at); },
            sleep_on);
  }
  void come() {
    for (Position at = 1; at <= 3; ++at) {
      word_.store(at, std::memory_order_release);
      ring_doorbell(doorbell_, 1, at, wake_on);
    }
  }

  Mark word_;
  Doorbell<Word, Mark> doorbell_;
};

}  // namespace

TEST_CASE("a sleeper is woken by the position that it waits for") {
  CHECK(interleavings::explore<Positions<0>>(2).is_well());
  CHECK(interleavings::explore<Positions<1>>(2).problem == "waits for ever");
}

TEST_CASE("nobody sleeps while what it waits for is there") {
  for (const auto& [senders, messages] : {std::pair{1, 3}, std::pair{2, 1}})
    for (const bool in_order : {false, true}) {
      const Outcome outcome = explore<Real>(senders, messages, in_order);
      INFO(senders << " senders, " << messages << " messages, " << outcome.states << " states: " << outcome.problem);
      CHECK(outcome.is_well());
    }
}

TEST_CASE("a wrong doorbell is found") {
  CHECK(explore<RingsBeforePublishing>(1, 2, true).problem == "waits for ever");
  CHECK(explore<WaitsForAnother>(1, 2, true).problem == "waits for ever");
  CHECK(explore<LooksBeforeItSaysSo>(1, 2, true).problem == "waits for ever");
}
