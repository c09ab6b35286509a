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

/// Where a fragment lies that is in no slot. A message that is lent stays in the sender's memory, where the reader
/// reads it; one that cannot refuses it, and it comes as fragments.
inline constexpr std::int32_t in_cell = -1, lent = -2, refused = -3;

/// A part of a message.
struct Fragment {
  std::uint32_t call = 0;       // number of the communicator's call
  int tag = 0;                  // of the message
  std::int64_t total = 0;       // bytes of the message
  std::int32_t bytes = 0;       // of this fragment
  std::int32_t slot = in_cell;  // of the sender, where they lie
};

/// Ranks write at least so far apart: processors fetch cache lines in pairs.
inline constexpr std::size_t stride_bytes = 128;
inline constexpr std::size_t cell_bytes = 256;
inline constexpr int inline_bytes = static_cast<int>(cell_bytes - 8 - sizeof(Fragment));

/// Messages from one rank to one other. All zero is the beginning.
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

/// Where the longer fragments of one rank lie. All zero is the beginning.
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
  explicit Writer(Ring& ring) : ring_(&ring) {}

  /// The next cell, or null while the reader has not done with it.
  typename Ring::Cell* room() { return fewer_than(Ring::cells) ? &ring_->cell[next_ % Ring::cells] : nullptr; }
  /// Whether fewer than so many fragments are on their way.
  bool fewer_than(std::uint32_t fragments) {
    if (next_ - taken_ >= fragments) taken_ = ring_->taken.load(std::memory_order_acquire);
    return next_ - taken_ < fragments;
  }
  /// The fragment that was published last; its reader may have answered in it, once nothing is on its way.
  const Fragment& last() const { return ring_->cell[(next_ - 1) % Ring::cells].fragment; }
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
  fragment.slot = fragment.bytes > inline_bytes ? take_slot(own) : in_cell;
  if (fragment.bytes > inline_bytes && fragment.slot < 0) return false;
  fill(fragment.slot < 0 ? cell->text : own.text[fragment.slot]);
  cell->fragment = fragment;
  writer.publish();
  return true;
}

/// Lends a whole message if it can: `fill(text)` writes where it lies. Until the loan is back the sender leaves it as
/// it is, and sends nothing else this way.
template <class Ring, class Fill>
bool lend(Writer<Ring>& writer, Fragment fragment, Fill fill) {
  auto* const cell = writer.room();
  if (!cell) return false;
  fragment.slot = lent;
  fill(cell->text);
  cell->fragment = fragment;
  writer.publish();
  return true;
}

enum class Loan { out, read, refused };

template <class Ring>
Loan loan_of(Writer<Ring>& writer) {
  if (!writer.fewer_than(1)) return Loan::out;
  return writer.last().slot == refused ? Loan::refused : Loan::read;
}

/// The reader's answer to a loan.
template <class Ring>
void give_back(Reader<Ring>& reader, typename Ring::Cell& cell, bool was_read) {
  if (!was_read) cell.fragment.slot = refused;
  reader.done();
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
