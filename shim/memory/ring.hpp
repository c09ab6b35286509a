// SPDX-License-Identifier: MIT
// The protocol of messages in shared memory, without the memory: one ring of cells for each ordered pair of ranks, and
// for each rank a few slots that the longer fragments of its messages lie in. Written by one rank and read by one, so
// three words are all that is shared (Lamport 1983, a queue for one producer and one consumer):
//   turn   of a cell: what the writer has put there
//   taken  of a ring: how many cells its reader has done with
//   busy   of a slot: set by its owner, cleared by the reader of the fragment
// `Word` is std::atomic<std::uint32_t>; test/proof tries all interleavings of another one.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace mpigraft::memory {

/// A part of a message.
struct Fragment {
  std::uint32_t call = 0;  // number of the communicator's call
  int tag = 0;             // of the message
  std::int64_t total = 0;  // bytes of the message
  std::int32_t bytes = 0;  // of this fragment
  std::int32_t slot = -1;  // of the sender, where they lie; -1: in the cell
};

inline constexpr std::size_t cell_bytes = 256;
inline constexpr int inline_bytes = static_cast<int>(cell_bytes - 8 - sizeof(Fragment));

/// Messages from one rank to one other. All zero is the beginning.
template <class Word, std::uint32_t n>
struct Ring {
  static_assert((n & (n - 1)) == 0, "turns wrap around at 2^32");
  static constexpr std::uint32_t cells = n;
  struct alignas(64) Cell {
    Word turn;
    Fragment fragment;
    char text[inline_bytes];
  };
  alignas(64) Word taken;
  Cell cell[n];
};

/// Where the longer fragments of one rank lie. All zero is the beginning.
template <class Word, int n, int bytes>
struct Slots {
  static constexpr int slots = n, slot_bytes = bytes;
  struct alignas(64) Mark {
    Word busy;
  };
  Mark mark[n];
  char text[n][bytes];
};

/// The sending end of a ring.
template <class Ring>
class Writer {
 public:
  explicit Writer(Ring& ring) : ring_(&ring) {}

  /// The next cell, or null while the reader has not done with it.
  typename Ring::Cell* room() { return fewer_than(Ring::cells) ? &ring_->cell[next_ % Ring::cells] : nullptr; }
  /// Whether fewer than so many fragments are on their way.
  bool fewer_than(std::uint32_t fragments) {
    if (next_ - taken_ >= fragments) taken_ = ring_->taken.load(std::memory_order_acquire);
    return next_ - taken_ < fragments;
  }
  /// The cell that `room` gave is complete.
  void publish() {
    auto& turn = ring_->cell[next_ % Ring::cells].turn;
    turn.store(++next_, std::memory_order_release);
  }

 private:
  Ring* ring_;
  std::uint32_t next_ = 0, taken_ = 0;
};

/// The receiving end.
template <class Ring>
class Reader {
 public:
  explicit Reader(Ring& ring) : ring_(&ring) {}

  /// The next cell, or null while it is not complete.
  typename Ring::Cell* look() {
    auto& cell = ring_->cell[next_ % Ring::cells];
    return cell.turn.load(std::memory_order_acquire) == next_ + 1 ? &cell : nullptr;
  }
  /// The cell that `look` gave may be written again.
  void done() { ring_->taken.store(++next_, std::memory_order_release); }

 private:
  Ring* ring_;
  std::uint32_t next_ = 0;
};

/// A free slot of this rank, from now on busy; -1: none.
template <class Slots>
int take_slot(Slots& own) {
  for (int i = 0; i < Slots::slots; ++i) {
    auto& busy = own.mark[i].busy;
    if (busy.load(std::memory_order_acquire) != 0) continue;
    busy.store(1, std::memory_order_relaxed);  // only its owner looks at it
    return i;
  }
  return -1;
}

/// Sends one fragment if it can, which `fill(text)` writes; what is longer than a cell needs a slot.
template <class Ring, class Slots, class Fill>
bool send_fragment(Writer<Ring>& writer, Slots& own, Fragment fragment, Fill fill) {
  auto* const cell = writer.room();
  if (!cell) return false;
  fragment.slot = fragment.bytes > inline_bytes ? take_slot(own) : -1;
  if (fragment.bytes > inline_bytes && fragment.slot < 0) return false;
  fill(fragment.slot < 0 ? cell->text : own.text[fragment.slot]);
  cell->fragment = fragment;
  writer.publish();
  return true;
}

/// Ends with the fragment that `look` showed; `take(text)` reads it. `theirs` are the sender's slots.
template <class Ring, class Slots, class Take>
void take_fragment(Reader<Ring>& reader, typename Ring::Cell& cell, Slots& theirs, Take take) {
  const int slot = cell.fragment.slot;
  take(slot < 0 ? cell.text : theirs.text[slot]);
  if (slot >= 0) theirs.mark[slot].busy.store(0, std::memory_order_release);
  reader.done();
}

}  // namespace mpigraft::memory
