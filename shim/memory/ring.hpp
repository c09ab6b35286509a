// SPDX-License-Identifier: MIT
// The protocol of messages in shared memory, without the memory. Each ordered pair of ranks has a ring of cells, and
// each rank has a few slots for the longer fragments of its messages. One rank writes a ring and one rank reads it, so
// they synchronise by three kinds of words (Lamport 1983, a queue with one producer and one consumer):
//   turn   of a cell: the number of the fragment in it, counted from 1
//   taken  of a ring: the number of cells that its reader is done with
//   busy   of a slot: set by its owner, cleared by the reader of the fragment
// `Word` is std::atomic<std::uint32_t>; test/shim/memory puts another in its place and tries all interleavings.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace mpigraft::memory {

/// Values of Fragment::slot for fragments that lie in no slot. An exposed message stays in the sender's memory, and
/// the reader takes a single copy of it from there. A reader that cannot do so refuses, and the sender sends fragments.
inline constexpr std::int32_t in_cell = -1, exposed = -2, refused = -3;

/// A part of a message.
struct Fragment {
  std::uint32_t call = 0;       // number of the communicator's call
  int tag = 0;                  // of the message
  std::int64_t total = 0;       // bytes of the message
  std::int32_t bytes = 0;       // of this fragment
  std::int32_t slot = in_cell;  // the slot of the sender where its bytes lie
};

/// The distance between bytes that different ranks write, because processors fetch cache lines in pairs.
inline constexpr std::size_t stride_bytes = 128;
inline constexpr std::size_t cell_bytes = 256;
inline constexpr int inline_bytes = static_cast<int>(cell_bytes - 8 - sizeof(Fragment));

/// The queue of messages from one rank to one other, all zero at first.
template <class Word, std::uint32_t n>
struct Ring {
  static_assert((n & (n - 1)) == 0, "turns wrap around at 2^32");
  static constexpr std::uint32_t cells = n;
  struct alignas(stride_bytes) Cell {
    Word turn;
    Fragment fragment;
    char text[inline_bytes];
  };
  alignas(stride_bytes) Word taken;
  Cell cell[n];
};

/// The slots for the longer fragments that one rank sends, all zero at first.
template <class Word, int n, int bytes>
struct Slots {
  static constexpr int slots = n, slot_bytes = bytes;
  struct alignas(stride_bytes) Mark {
    Word busy;
  };
  Mark mark[n];
  char text[n][bytes];
};

/// The sending end of a ring.
template <class Ring>
class Writer {
 public:
  /// The ring may have been used before; all its fragments were taken.
  explicit Writer(Ring& ring) : ring_(&ring), next_(ring.taken.load(std::memory_order_relaxed)), taken_(next_) {}

  /// The next cell, or null while the reader is not done with it.
  typename Ring::Cell* room() { return fewer_than(Ring::cells) ? &ring_->cell[next_ % Ring::cells] : nullptr; }
  /// True if fewer than `fragments` fragments are on their way.
  bool fewer_than(std::uint32_t fragments) {
    if (next_ - taken_ >= fragments) taken_ = ring_->taken.load(std::memory_order_acquire);
    return next_ - taken_ < fragments;
  }
  /// The fragment that was published last, with its reader's answer. REQUIRES: fewer_than(1).
  const Fragment& last() const { return ring_->cell[(next_ - 1) % Ring::cells].fragment; }
  /// Gives the cell that room() returned to the reader.
  void publish() {
    auto& turn = ring_->cell[next_ % Ring::cells].turn;
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

  /// The next cell, or null while it is not complete.
  typename Ring::Cell* look() {
    auto& cell = ring_->cell[next_ % Ring::cells];
    return cell.turn.load(std::memory_order_acquire) == next_ + 1 ? &cell : nullptr;
  }
  /// Gives the cell that look() returned back to the writer.
  void done() { ring_->taken.store(++next_, std::memory_order_release); }

 private:
  Ring* ring_;
  std::uint32_t next_;
};

/// Takes a free slot of this rank and marks it busy; -1: none is free.
template <class Slots>
int take_slot(Slots& own) {
  for (int i = 0; i < Slots::slots; ++i) {
    auto& busy = own.mark[i].busy;
    if (busy.load(std::memory_order_acquire) != 0) continue;
    busy.store(1, std::memory_order_relaxed);  // no order is needed, because only this rank looks for free slots
    return i;
  }
  return -1;
}

/// Sends one fragment, which fill(text) writes. Returns false if the ring is full, or if the fragment is longer than a
/// cell and no slot is free.
template <class Ring, class Slots, class Fill>
bool send_fragment(Writer<Ring>& writer, Slots& own, Fragment fragment, Fill fill) {
  auto* const cell = writer.room();
  if (!cell) return false;
  fragment.slot = fragment.bytes > inline_bytes ? take_slot(own) : in_cell;
  if (fragment.bytes > inline_bytes && fragment.slot < 0) return false;
  fill(fragment.slot < 0 ? cell->text : own.text[fragment.slot]);
  cell->fragment = fragment;
  writer.publish();
  return true;
}

/// Exposes a whole message in the sender's memory; fill(text) writes where it lies. Returns false if the ring is full.
/// Until answer_of() gives an answer, the sender leaves the message alone and sends nothing else by this ring.
template <class Ring, class Fill>
bool expose(Writer<Ring>& writer, Fragment fragment, Fill fill) {
  auto* const cell = writer.room();
  if (!cell) return false;
  fragment.slot = exposed;
  fill(cell->text);
  cell->fragment = fragment;
  writer.publish();
  return true;
}

enum class Answer { none, read, refused };

/// The reader's answer to an exposed message; `none`: there is none yet.
template <class Ring>
Answer answer_of(Writer<Ring>& writer) {
  if (!writer.fewer_than(1)) return Answer::none;
  return writer.last().slot == refused ? Answer::refused : Answer::read;
}

/// Answers an exposed message, as its reader.
template <class Ring>
void give_answer(Reader<Ring>& reader, typename Ring::Cell& cell, bool was_read) {
  if (!was_read) cell.fragment.slot = refused;
  reader.done();
}

/// Reads the fragment that look() showed by take(text), and gives its cell and slot back. `theirs` are the sender's
/// slots.
template <class Ring, class Slots, class Take>
void take_fragment(Reader<Ring>& reader, typename Ring::Cell& cell, Slots& theirs, Take take) {
  const int slot = cell.fragment.slot;
  take(slot < 0 ? cell.text : theirs.text[slot]);
  if (slot >= 0) theirs.mark[slot].busy.store(0, std::memory_order_release);
  reader.done();
}

}  // namespace mpigraft::memory
