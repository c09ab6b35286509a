// SPDX-License-Identifier: MIT
// Memory that the ranks of a communicator on one node share.
#pragma once

#include <cstddef>
#include <cstdint>

#include "algorithms/patterns/nodes.hpp"
#include "shim/abi/handles.hpp"
#include "shim/memory/bell.hpp"
#include "shim/memory/board.hpp"
#include "shim/memory/ring.hpp"

namespace mpigraft::memory {

using SharedWord = std::atomic<std::uint32_t>;
static_assert(SharedWord::is_always_lock_free);
using SharedRing = Ring<SharedWord, 16>;
using SharedSlots = Slots<SharedWord, 16, 8192>;
using SharedBell = Bell<SharedWord, std::atomic<Position>>;
/// So many cells let the root of short broadcasts run about as far ahead as MPI's messages do; the text of longer ones
/// is 128 KiB in parts of a page.
using SharedBoard = Board<std::atomic<Position>, TextLine, 1024, 16, page_bytes / line_bytes>;
static_assert(std::atomic<Position>::is_always_lock_free);
/// So that no two ranks write to neighbouring lines; a ring's word for its reader is as far from the writer's cells.
template <class Part>
constexpr bool keeps_apart = alignof(Part) % stride_bytes == 0 && sizeof(Part) % stride_bytes == 0;
static_assert(keeps_apart<SharedRing> && keeps_apart<SharedSlots> && keeps_apart<SharedBell> &&
              keeps_apart<SharedBoard>);
static_assert(offsetof(SharedRing, cell) % stride_bytes == 0 && alignof(SharedRing::Cell) % stride_bytes == 0);

/// More ranks have no boards, since they would read one line.
constexpr int boards_of(int p) { return p <= max_readers ? p : 0; }

/// A segment of p ranks has p * p rings of 4224 bytes, p times slots and bell, 133 248 bytes, and boards of 262 272:
/// 0.8 MB for 2 ranks, 3.4 MB for 8, 26 MB for 64, 86 MB for 128.
constexpr std::size_t segment_bytes(int p) {
  const auto ranks = static_cast<std::size_t>(p), boards = static_cast<std::size_t>(boards_of(p));
  return ranks * (sizeof(SharedSlots) + sizeof(SharedBell) + ranks * sizeof(SharedRing)) + boards * sizeof(SharedBoard);
}

/// All segments that a process may have mapped at once; further communicators exchange messages by MPI.
inline constexpr std::size_t max_shared_bytes = std::size_t{256} << 20;

/// Those ranks of a communicator that are on one node: `size` from `first` on. This one is `first` + `own`.
struct NodeRanks {
  abi::Comm comm;
  int first, size, own;
};

/// Its ranks are counted from the node's first on.
class Segment {
 public:
  /// Collective over the node's ranks: the segment on all of them or on none. It has no name any more, and no
  /// descriptor is open. None where any rank is not `ready`.
  Segment(const NodeRanks& node, bool ready);
  ~Segment();
  Segment(const Segment&) = delete;
  Segment& operator=(const Segment&) = delete;

  explicit operator bool() const { return memory_ != nullptr; }
  /// Whether any rank shares its core with others: then all ranks ring. Equal on all of them.
  bool crowded() const { return crowded_; }
  /// Whether ranks may read the memory of one another. Equal on all of them.
  bool lends() const { return lends_; }
  SharedSlots& slots_of(int rank) const { return reinterpret_cast<SharedSlots*>(memory_)[rank]; }
  SharedRing& ring(int from, int to) const { return reinterpret_cast<SharedRing*>(&bell_of(size_))[to * size_ + from]; }
  SharedBell& bell_of(int rank) const { return reinterpret_cast<SharedBell*>(&slots_of(size_))[rank]; }
  /// As many as `boards_of` the ranks.
  SharedBoard* boards() const { return reinterpret_cast<SharedBoard*>(&ring(0, size_)); }

 private:
  void map(int file, int own);
  bool allocate_part_of(int rank, int file) const;
  void unmap();

  const int size_;
  char* memory_ = nullptr;
  bool crowded_ = false, lends_ = false;
};

}  // namespace mpigraft::memory
