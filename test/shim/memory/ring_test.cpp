// SPDX-License-Identifier: MIT
// The protocols of shim/memory/ring.hpp and shim/memory/doorbell.hpp, in all interleavings of a sender and its
// receivers: nothing is read before it is complete, nothing written before its reader is done, everything comes in
// order, nobody sleeps while what it waits for is there, and all come to an end. Fences are not modelled, as the steps
// here have one order for all; threads_test.cpp runs them on the machine.
#include "shim/memory/ring.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <vector>

#include "shim/memory/doorbell.hpp"
#include "test/shim/memory/interleavings.hpp"

using namespace mpigraft;
using namespace mpigraft::memory;
using interleavings::Execution;
using interleavings::Outcome;
using interleavings::Relaxed;
using interleavings::start_of;
using Word = interleavings::WordOf<std::uint32_t>;
using Mark = interleavings::WordOf<Position>;

namespace {

enum class How { in_slot, in_buffer, exposed, refused };
struct Sent {
  int to;
  How how = How::in_slot;
};
using Script = std::vector<Sent>;

/// Sends and receives as the real ones do, and polls until it can.
struct Real {
  static constexpr bool rings_late = true;
  static void wait(auto& /*doorbell*/, int /*peer*/, auto succeeds) { Execution::current().until(succeeds); }
  static void ring(auto& /*doorbell*/, int /*me*/) {}
  static bool send(auto& writer, auto& buffers, Fragment fragment, auto fill) {
    return send_fragment(writer, buffers, fragment, fill);
  }
  static void take(auto& reader, auto& slot, auto& theirs, auto take) { take_fragment(reader, slot, theirs, take); }
  static Answer answer(auto& writer) { return answer_of(writer); }
  static void read_single_copy(auto& reader, auto& slot, bool can_read, auto take) {
    if (can_read) take();
    give_answer(reader, slot, can_read);
  }
};

struct UsesWhatIsExposed : Real {
  static Answer answer(auto&) { return Answer::read; }
};

struct AnswersBeforeReading : Real {
  static void read_single_copy(auto& reader, auto& slot, bool can_read, auto take) {
    give_answer(reader, slot, can_read);
    if (can_read) take();
  }
};

struct PublishesBeforeWriting : Real {
  static bool send(auto& writer, auto& buffers, Fragment fragment, auto fill) {
    char* late = nullptr;
    const bool sent = send_fragment(writer, buffers, fragment, [&](char* payload) { late = payload; });
    if (sent) fill(late);
    return sent;
  }
};

struct FreesBeforeReading : Real {
  static void take(auto& reader, auto& slot, auto& theirs, auto take) {
    const char* late = nullptr;
    take_fragment(reader, slot, theirs, [&](const char* payload) { late = payload; });
    take(late);
  }
};

struct KeepsBuffer : Real {
  static void take(auto& reader, auto& slot, auto& theirs, auto take) {
    take(slot.fragment.buffer < 0 ? slot.payload : theirs.payload[slot.fragment.buffer]);
    reader.done();
  }
};

/// Sleeps as on a futex, until the word holds something else.
void sleep_on(const Word& word, std::uint32_t value) {
  Execution::current().until([&] { return word.load(std::memory_order_relaxed) != value; });
}
void wake_on(const Word&) {}

struct Sleeps : Real {
  static bool send(auto& writer, auto& buffers, Fragment fragment, auto) {
    return Real::send(writer, buffers, fragment, [](char*) {});
  }
  static void take(auto& reader, auto& slot, auto& theirs, auto) {
    Real::take(reader, slot, theirs, [](char*) {});
  }
  static void wait(auto& doorbell, int peer, auto succeeds) { sleep(doorbell, only(peer), succeeds); }
  static void sleep(auto& doorbell, std::uint32_t whom, auto succeeds) {
    bool over = false;
    const auto poll = [&] { return over = succeeds(); };
    while (!over) sleep_unless(doorbell, whom, any_position, poll, sleep_on);
  }
  static void ring(auto& doorbell, int me) { ring_doorbell(doorbell, me, any_position, wake_on); }
};

struct SleepsForAnyone : Sleeps {
  static void wait(auto& doorbell, int /*peer*/, auto succeeds) { sleep(doorbell, anyone, succeeds); }
};

struct SleepsForAnother : Sleeps {
  static void wait(auto& doorbell, int peer, auto succeeds) { sleep(doorbell, only(peer + 1), succeeds); }
};

struct RingsBeforePublishing : Sleeps {
  static constexpr bool rings_late = false;
};

struct LooksBeforeItSaysSo : Sleeps {
  static void wait(auto& doorbell, int peer, auto succeeds) {
    const auto never = [] { return false; };
    while (!succeeds()) sleep_unless(doorbell, only(peer), any_position, never, sleep_on);
  }
};

/// A sender, rank 0, its buffers, and a ring to each of two receivers.
template <class Word, std::uint32_t slots, int buffers, class Protocol>
class System {
 public:
  explicit System(const Script& script) : script_(script) {}

  void run(int me) { me == 0 ? send() : receive(me); }

 private:
  using R = Ring<Word, slots>;

  void send() {
    std::array<Writer<R>, 2> writers{Writer<R>(rings_[0]), Writer<R>(rings_[1])};
    for (std::size_t i = 0; i < script_.size(); ++i) {
      const int to = script_[i].to;
      auto& writer = writers[static_cast<std::size_t>(to) - 1];
      const int number = static_cast<int>(i) + 1;
      const Fragment fragment{.call = static_cast<std::uint32_t>(number),
                              .bytes = script_[i].how == How::in_buffer ? inline_bytes + 1 : inline_bytes};
      if (script_[i].how >= How::exposed && is_read(to, writer, number)) continue;
      attempt(0, to, writer, [&] {
        return Protocol::send(writer, buffers_, fragment,
                              [&](char* payload) { Execution::current().write(payload, number); });
      });
    }
  }

  void receive(int me) {
    Reader<R> reader(rings_[static_cast<std::size_t>(me) - 1]);
    for (std::size_t i = 0; i < script_.size(); ++i) {
      if (script_[i].to != me) continue;
      while (!receive_once(me, reader, static_cast<int>(i) + 1, script_[i].how == How::exposed)) {
      }
    }
  }

  /// False if a single copy was refused.
  bool receive_once(int me, Reader<R>& reader, int number, bool can_read) {
    bool has_come = true;
    attempt(me, 0, reader, [&] {
      auto* const slot = reader.poll();
      if (!slot) return false;
      Execution::current().expect(slot->fragment.call == static_cast<std::uint32_t>(number), "out of order");
      if (slot->fragment.buffer == exposed) {
        Protocol::read_single_copy(reader, *slot, can_read, [&] { Execution::current().read(&own_memory_, number); });
        has_come = can_read;
      } else {
        Protocol::take(reader, *slot, buffers_,
                       [&](const char* payload) { Execution::current().read(payload, number); });
      }
      return true;
    });
    return has_come;
  }

  /// Exposes a message; false if its single copy is refused.
  bool is_read(int to, Writer<R>& writer, int number) {
    const Fragment fragment{.call = static_cast<std::uint32_t>(number), .buffer = exposed};
    Execution::current().write(&own_memory_, number);
    attempt(0, to, writer, [&] { return send_fragment(writer, buffers_, fragment, [](char*) {}); });
    Answer answer = Answer::none;
    attempt(0, to, writer, [&] { return (answer = Protocol::answer(writer)) != Answer::none; });
    Execution::current().write(&own_memory_, -number);
    return answer == Answer::read;
  }

  /// Tries until it succeeds, and tells the peer. A failure leaves everything as it was.
  void attempt(int me, int peer, auto& end, auto once) {
    const auto again = [&, before = end] {
      end = before;
      return once();
    };
    if (!Protocol::rings_late) Protocol::ring(doorbells_[static_cast<std::size_t>(peer)], me);
    Protocol::wait(doorbells_[static_cast<std::size_t>(me)], peer, again);
    if (Protocol::rings_late) Protocol::ring(doorbells_[static_cast<std::size_t>(peer)], me);
  }

  const Script script_;
  std::array<R, 2> rings_{};
  FragmentBuffers<Word, buffers, inline_bytes + 1> buffers_{};
  std::array<Doorbell<::Word, Mark>, 3> doorbells_{};
  char own_memory_ = 0;  // of the sender, which it exposes
};

template <class Word, std::uint32_t slots, int buffers, class Protocol = Real>
Outcome explore(const Script& script) {
  const bool two = std::ranges::any_of(script, [](const Sent& sent) { return sent.to == 2; });
  return interleavings::explore(start_of<System<Word, slots, buffers, Protocol>>(two ? 3 : 2, script));
}

const Script in_slots(5, {1}), in_buffers(5, {1, How::in_buffer});
const Script mixed{{1, How::in_buffer}, {1}, {1, How::in_buffer}, {1, How::in_buffer}, {1}, {1, How::in_buffer}};
const Script to_two{{1, How::in_buffer}, {2, How::in_buffer}, {1}, {2, How::in_buffer}, {1, How::in_buffer}};
const Script single_copies{{1, How::exposed}, {1, How::in_buffer}, {1, How::exposed}, {1}, {1, How::exposed}};
const Script refusals{{1, How::exposed}, {1, How::refused}, {1}, {1, How::refused}, {1, How::exposed}};
const Script single_copies_to_two{{1, How::exposed}, {2, How::refused}, {1}, {2, How::exposed}};

/// Rank 0 waits for positions of rank 1, which rings at each one; doorbells in between need not wake it.
template <Position late>
class Positions {
 public:
  void run(int me) { me == 0 ? wait() : come(); }

 private:
  void wait() {
    for (const Position at : {Position{2}, Position{3}}) {
      const auto has_come = [&] { return !before(word_.load(std::memory_order_acquire), at); };
      while (!has_come()) sleep_unless(doorbell_, only(1), at + late, has_come, sleep_on);
    }
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

template <std::uint32_t slots, int buffers, class Protocol = Real>
void all_is_well(const std::vector<Script>& scripts) {
  for (const Script& script : scripts) {
    const Outcome outcome = explore<Word, slots, buffers, Protocol>(script);
    INFO(slots << " slots, " << buffers << " buffers, " << outcome.states << " states: " << outcome.problem);
    CHECK(outcome.is_well());
  }
}

}  // namespace

TEST_CASE("messages in shared memory are whole and in order") {
  const std::vector scripts{in_slots, in_buffers, mixed, to_two, single_copies, refusals, single_copies_to_two};
  all_is_well<1, 1>(scripts);
  all_is_well<1, 2>(scripts);
  all_is_well<2, 1>(scripts);
  all_is_well<2, 2>(scripts);
  all_is_well<4, 2>(scripts);
}

TEST_CASE("nobody sleeps while what it waits for is there") {
  const std::vector<Script> scripts{{{1}, {1}, {1}}, {{1}, {2}, {1}}};
  all_is_well<1, 1, Sleeps>(scripts);
  all_is_well<1, 1, SleepsForAnyone>(scripts);
}

TEST_CASE("a sleeper is woken by the position that it waits for") {
  CHECK(interleavings::explore(start_of<Positions<0>>(2)).is_well());
  CHECK(interleavings::explore(start_of<Positions<1>>(2)).problem == "waits for ever");
}

TEST_CASE("a wrong protocol is found") {
  for (const Script& script : {in_slots, in_buffers})
    CHECK(!explore<Word, 2, 2, PublishesBeforeWriting>(script).problem.empty());
  CHECK(explore<Word, 4, 1, FreesBeforeReading>(in_buffers).problem == "written while it may be read");
  CHECK(explore<Word, 2, 2, FreesBeforeReading>(in_slots).problem == "written while it may be read");
  CHECK(explore<Word, 4, 2, KeepsBuffer>(in_buffers).problem == "waits for ever");
  for (const Script& script : {in_slots, in_buffers, single_copies})
    CHECK(!explore<Relaxed<Word>, 2, 2>(script).problem.empty());
  CHECK(explore<Word, 2, 2, UsesWhatIsExposed>(single_copies).problem == "written while it may be read");
  CHECK(explore<Word, 2, 2, AnswersBeforeReading>(single_copies).problem == "written while it may be read");
  const Script two_messages{{1}, {1}};
  CHECK(explore<Word, 1, 1, RingsBeforePublishing>(two_messages).problem == "waits for ever");
  CHECK(explore<Word, 1, 1, SleepsForAnother>(two_messages).problem == "waits for ever");
  CHECK(explore<Word, 1, 1, LooksBeforeItSaysSo>(two_messages).problem == "waits for ever");
}
