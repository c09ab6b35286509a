// SPDX-License-Identifier: MIT
// The protocol of messages in shared memory, without the memory. Each ordered pair of ranks has a ring of slots, and
// each rank has a few buffers for the longer fragments of its messages. One rank writes a ring and one rank reads it,
// so they synchronise by three kinds of words (Lamport 1983, a queue with one producer and one consumer):
//   turn   of a slot: the number of the fragment in it, counted from 1
//   taken  of a ring: the number of slots that its reader is done with
//   busy   of a buffer: set by its owner, cleared by the reader of the fragment
// `Word` is std::atomic<std::uint32_t>; test/shim/memory puts another in its place and tries all interleavings.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace mpigraft::memory {

/// Values of Fragment::buffer for fragments that lie in no buffer. An exposed message stays in the sender's memory, and
/// the reader takes a single copy of it from there. A reader that cannot do so refuses, and the sender sends fragments.
inline constexpr std::int32_t in_slot = -1, exposed = -2, refused = -3;

struct Fragment {
  std::uint32_t call = 0;         // number of the communicator's call
  int tag = 0;                    // of the message
  std::int64_t total = 0;         // bytes of the message
  std::int32_t bytes = 0;         // of this fragment
  std::int32_t buffer = in_slot;  // the buffer of the sender where its bytes lie
};

/// The distance between bytes that different ranks write, because processors fetch cache lines in pairs.
inline constexpr std::size_t stride_bytes = 128;
inline constexpr std::size_t slot_bytes = 256;
inline constexpr int inline_bytes = static_cast<int>(slot_bytes - 8 - sizeof(Fragment));

/// The queue of messages from one rank to one other, all zero at first.
template <class Word, std::uint32_t n>
struct Ring {
  static_assert((n & (n - 1)) == 0, "turns wrap around at 2^32");
  static constexpr std::uint32_t slots = n;
  struct alignas(stride_bytes) Slot {
    Word turn;
    Fragment fragment;
    char payload[inline_bytes];
  };
  alignas(stride_bytes) Word taken;
  Slot slot[n];
};

/// The buffers for the longer fragments that one rank sends, all zero at first.
template <class Word, int n, int bytes>
struct FragmentBuffers {
  static constexpr int buffers = n, buffer_bytes = bytes;
  struct alignas(stride_bytes) Mark {
    Word busy;
  };
  Mark mark[n];
  char payload[n][bytes];
};

/// The sending end of a ring.
template <class Ring>
class Writer {
 public:
  /// The ring may have been used before; all its fragments were taken.
  explicit Writer(Ring& ring) : ring_(&ring), next_(ring.taken.load(std::memory_order_relaxed)), taken_(next_) {}

  /// The next slot, or null while the reader is not done with it.
  typename Ring::Slot* room() { return fewer_than(Ring::slots) ? &ring_->slot[next_ % Ring::slots] : nullptr; }
  /// True if fewer than `fragments` fragments are on their way.
  bool fewer_than(std::uint32_t fragments) {
    if (next_ - taken_ >= fragments) taken_ = ring_->taken.load(std::memory_order_acquire);
    return next_ - taken_ < fragments;
  }
  /// The fragment that was published last, with its reader's answer. REQUIRES: fewer_than(1).
  const Fragment& last() const { return ring_->slot[(next_ - 1) % Ring::slots].fragment; }
  /// Gives the slot that room() returned to the reader.
  void publish() {
    auto& turn = ring_->slot[next_ % Ring::slots].turn;
    turn.store(++next_, std::memory_order_release);
  }

 private:
  Ring* ring_;
  std::uint32_t next_, taken_;
};

/// The receiving end of a ring.
template <class Ring>
class Reader {
 public:
  explicit Reader(Ring& ring) : ring_(&ring), next_(ring.taken.load(std::memory_order_relaxed)) {}

  /// The next slot, or null while it is not complete.
  typename Ring::Slot* poll() {
    auto& slot = ring_->slot[next_ % Ring::slots];
    return slot.turn.load(std::memory_order_acquire) == next_ + 1 ? &slot : nullptr;
  }
  /// Gives the slot that poll() returned back to the writer.
  void done() { ring_->taken.store(++next_, std::memory_order_release); }

 private:
  Ring* ring_;
  std::uint32_t next_;
};

/// Takes a free buffer of this rank and marks it busy; -1: none is free.
template <class Buffers>
int take_buffer(Buffers& buffers) {
  for (int i = 0; i < Buffers::buffers; ++i) {
    auto& busy = buffers.mark[i].busy;
    if (busy.load(std::memory_order_acquire) != 0) continue;
    busy.store(1, std::memory_order_relaxed);  // no order is needed, because only this rank looks for free buffers
    return i;
  }
  return -1;
}

/// Sends one fragment, which fill(payload) writes. Returns false if the ring is full, or if the fragment is longer than
/// a slot and no buffer is free. If it exposes a whole message in the sender's memory, `fill` writes where that lies,
/// and the sender leaves the message alone and sends nothing else by this ring until answer_of() gives an answer.
template <class Ring, class Buffers, class Fill>
bool send_fragment(Writer<Ring>& writer, Buffers& buffers, Fragment fragment, Fill fill) {
  auto* const slot = writer.room();
  if (!slot) return false;
  if (fragment.bytes > inline_bytes && (fragment.buffer = take_buffer(buffers)) < 0) return false;
  fill(fragment.buffer < 0 ? slot->payload : buffers.payload[fragment.buffer]);
  slot->fragment = fragment;
  writer.publish();
  return true;
}

enum class Answer { none, read, refused };

/// The reader's answer to an exposed message; `none`: there is none yet.
template <class Ring>
Answer answer_of(Writer<Ring>& writer) {
  if (!writer.fewer_than(1)) return Answer::none;
  return writer.last().buffer == refused ? Answer::refused : Answer::read;
}

/// Answers an exposed message, as its reader.
template <class Ring>
void give_answer(Reader<Ring>& reader, typename Ring::Slot& slot, bool was_read) {
  if (!was_read) slot.fragment.buffer = refused;
  reader.done();
}

/// Reads the fragment that poll() showed by take(payload), and gives its slot and buffer back. `theirs` are the
/// sender's buffers.
template <class Ring, class Buffers, class Take>
void take_fragment(Reader<Ring>& reader, typename Ring::Slot& slot, Buffers& theirs, Take take) {
  const int buffer = slot.fragment.buffer;
  take(buffer < 0 ? slot.payload : theirs.payload[buffer]);
  if (buffer >= 0) theirs.mark[buffer].busy.store(0, std::memory_order_release);
  reader.done();
}

}  // namespace mpigraft::memory
