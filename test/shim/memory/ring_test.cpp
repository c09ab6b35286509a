// SPDX-License-Identifier: MIT
// The protocol of shim/memory/ring.hpp, in all interleavings of a sender and its receivers: nothing is read before it
// is complete, nothing written before its reader is done, everything comes in order, and all come to an end.
#include "shim/memory/ring.hpp"

#include <catch2/catch.hpp>

#include "test/shim/memory/interleavings.hpp"

using namespace mpigraft;
using namespace mpigraft::memory;
using interleavings::Execution;
using interleavings::Outcome;
using interleavings::Word;

namespace {

enum class How { in_slot, in_buffer, exposed, refused };
struct Sent {
  std::size_t to;
  How how = How::in_slot;

  bool is_single_copy() const { return how == How::exposed || how == How::refused; }
};
using Script = std::vector<Sent>;

/// Sends and receives as the real ones do.
struct Real {
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
    auto* const slot = writer.room();
    if (!slot) return false;
    fragment.buffer = fragment.bytes > inline_bytes ? take_buffer(buffers) : -1;
    if (fragment.bytes > inline_bytes && fragment.buffer < 0) return false;
    slot->fragment = fragment;
    writer.publish();
    fill(fragment.buffer < 0 ? slot->payload : buffers.payload[fragment.buffer]);
    return true;
  }
};

struct FreesSlotBeforeReading : Real {
  static void take(auto& reader, auto& slot, auto& theirs, auto take) {
    const int buffer = slot.fragment.buffer;
    if (buffer >= 0) theirs.mark[buffer].busy.store(0, std::memory_order_release);
    take(buffer < 0 ? slot.payload : theirs.payload[buffer]);
    reader.done();
  }
};

struct FreesCellBeforeReading : Real {
  static void take(auto& reader, auto& slot, auto& theirs, auto take) {
    const int buffer = slot.fragment.buffer;
    reader.done();
    take(buffer < 0 ? slot.payload : theirs.payload[buffer]);
    if (buffer >= 0) theirs.mark[buffer].busy.store(0, std::memory_order_release);
  }
};

struct KeepsSlot : Real {
  static void take(auto& reader, auto& slot, auto& theirs, auto take) {
    take(slot.fragment.buffer < 0 ? slot.payload : theirs.payload[slot.fragment.buffer]);
    reader.done();
  }
};

/// A sender, its buffers, and a ring to each of two receivers.
template <class Word, std::uint32_t slots, int buffers, class Protocol>
class System {
 public:
  explicit System(const Script& script) : script_(script) {}

  void run(int me) { me == 0 ? send() : receive(static_cast<std::size_t>(me) - 1); }

 private:
  using R = Ring<Word, slots>;

  void send() {
    std::array<Writer<R>, 2> writers{Writer<R>(rings_[0]), Writer<R>(rings_[1])};
    for (std::size_t i = 0; i < script_.size(); ++i) {
      auto& writer = writers[script_[i].to];
      const int number = static_cast<int>(i) + 1;
      const Fragment fragment{.call = static_cast<std::uint32_t>(number),
                              .bytes = script_[i].how == How::in_buffer ? inline_bytes + 1 : inline_bytes};
      if (script_[i].is_single_copy() && is_read(writer, fragment, number)) continue;
      attempt(writer, [&] {
        return Protocol::send(writer, buffers_, fragment,
                              [&](char* payload) { Execution::current().write(payload, number); });
      });
    }
  }

  void receive(std::size_t me) {
    Reader<R> reader(rings_[me]);
    for (std::size_t i = 0; i < script_.size(); ++i) {
      if (script_[i].to != me) continue;
      while (!receive_once(reader, static_cast<int>(i) + 1, script_[i].how == How::exposed)) {
      }
    }
  }

  /// False if a single copy was refused.
  bool receive_once(Reader<R>& reader, int number, bool can_read) {
    bool has_come = true;
    attempt(reader, [&] {
      auto* const slot = reader.poll();
      if (!slot) return false;
      if (slot->fragment.call != static_cast<std::uint32_t>(number)) Execution::current().problem = "out of order";
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
  bool is_read(Writer<R>& writer, const Fragment& fragment, int number) {
    Execution::current().write(&own_memory_, number);
    attempt(writer, [&] { return expose(writer, fragment, [](char*) {}); });
    Answer answer = Answer::none;
    attempt(writer, [&] { return (answer = Protocol::answer(writer)) != Answer::none; });
    Execution::current().write(&own_memory_, -number);
    return answer == Answer::read;
  }

  /// Tries until it succeeds. A failure leaves everything as it was.
  static void attempt(auto& end, auto once) {
    interleavings::until([&, before = end] {
      end = before;
      return once();
    });
  }

  const Script script_;
  std::array<R, 2> rings_{};
  FragmentBuffers<Word, buffers, inline_bytes + 1> buffers_{};
  char own_memory_ = 0;  // of the sender, which it exposes
};

template <class Word, std::uint32_t slots, int buffers, class Protocol = Real>
Outcome explore(const Script& script) {
  const bool two = std::ranges::any_of(script, [](const Sent& sent) { return sent.to == 1; });
  return interleavings::explore<System<Word, slots, buffers, Protocol>>(two ? 3 : 2, script);
}

const Script in_slots{{0}, {0}, {0}, {0}, {0}};
const Script in_buffers{
    {0, How::in_buffer}, {0, How::in_buffer}, {0, How::in_buffer}, {0, How::in_buffer}, {0, How::in_buffer}};
const Script mixed{{0, How::in_buffer}, {0}, {0, How::in_buffer}, {0, How::in_buffer}, {0}, {0, How::in_buffer}};
const Script to_two{{0, How::in_buffer}, {1, How::in_buffer}, {0}, {1, How::in_buffer}, {0, How::in_buffer}};
const Script single_copies{{0, How::exposed}, {0, How::in_buffer}, {0, How::exposed}, {0}, {0, How::exposed}};
const Script refusals{{0, How::exposed}, {0, How::refused}, {0}, {0, How::refused}, {0, How::exposed}};
const Script single_copies_to_two{{0, How::exposed}, {1, How::refused}, {0}, {1, How::exposed}};

template <std::uint32_t slots, int buffers>
void all_is_well() {
  for (const Script& script : {in_slots, in_buffers, mixed, to_two, single_copies, refusals, single_copies_to_two}) {
    const Outcome outcome = explore<Word, slots, buffers>(script);
    INFO(slots << " slots, " << buffers << " buffers, " << outcome.states << " states: " << outcome.problem);
    CHECK(outcome.is_well());
  }
}

}  // namespace

TEST_CASE("messages in shared memory are whole and in order") {
  all_is_well<1, 1>();
  all_is_well<1, 2>();
  all_is_well<2, 1>();
  all_is_well<2, 2>();
  all_is_well<4, 2>();
}

TEST_CASE("a wrong protocol is found") {
  for (const Script& script : {in_slots, in_buffers})
    CHECK(!explore<Word, 2, 2, PublishesBeforeWriting>(script).problem.empty());
  CHECK(explore<Word, 4, 1, FreesSlotBeforeReading>(in_buffers).problem == "written while it may be read");
  CHECK(explore<Word, 2, 2, FreesCellBeforeReading>(in_slots).problem == "written while it may be read");
  CHECK(explore<Word, 4, 2, KeepsSlot>(in_buffers).problem == "waits for ever");
  for (const Script& script : {in_slots, in_buffers, single_copies})
    CHECK(!explore<interleavings::Relaxed<Word>, 2, 2>(script).problem.empty());
  CHECK(explore<Word, 2, 2, UsesWhatIsExposed>(single_copies).problem == "written while it may be read");
  CHECK(explore<Word, 2, 2, AnswersBeforeReading>(single_copies).problem == "written while it may be read");
}
