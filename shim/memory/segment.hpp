// SPDX-License-Identifier: MIT
// Memory that the ranks of a communicator on one node share.
#pragma once

#include <cstddef>
#include <cstdint>

#include "algorithms/patterns/nodes.hpp"
#include "shim/memory/broadcast_buffer.hpp"
#include "shim/memory/doorbell.hpp"
#include "shim/memory/ring.hpp"

namespace mpigraft::memory {

using SharedWord = std::atomic<std::uint32_t>;
static_assert(SharedWord::is_always_lock_free);
using SharedRing = Ring<SharedWord, 16>;
using SharedBuffers = FragmentBuffers<SharedWord, 16, 8192>;
using SharedDoorbell = Doorbell<SharedWord, std::atomic<Position>>;
/// 1024 slots let the root of short broadcasts run about as far ahead as with MPI's messages. Lines for longer payload
/// have 128 KiB, in 16 parts of the longest page each.
using SharedBroadcastBuffer = BroadcastBuffer<std::atomic<Position>, PayloadLine, 1024, 16, page_bytes / line_bytes>;
static_assert(std::atomic<Position>::is_always_lock_free);
/// True if no two ranks write to neighbouring cache lines because of this part. In a ring, too, the reader's word is
/// that far from the writer's slots.
template <class Part>
constexpr bool keeps_apart = alignof(Part) % stride_bytes == 0 && sizeof(Part) % stride_bytes == 0;
static_assert(keeps_apart<SharedRing> && keeps_apart<SharedBuffers> && keeps_apart<SharedDoorbell> &&
              keeps_apart<SharedBroadcastBuffer>);
static_assert(offsetof(SharedRing, slot) % stride_bytes == 0 && alignof(SharedRing::Slot) % stride_bytes == 0);

/// The number of broadcast buffers of p ranks: none for more than max_readers, because all ranks would read the same
/// lines.
constexpr int broadcast_buffers_of(int p) { return p <= max_readers ? p : 0; }

/// The size of a segment of p ranks in bytes: 0.8 MB for 2 ranks, 3.4 MB for 8, 26 MB for 64, 86 MB for 128.
constexpr std::size_t segment_bytes(int p) {
  const auto ranks = static_cast<std::size_t>(p), buffers = static_cast<std::size_t>(broadcast_buffers_of(p));
  return ranks * (sizeof(SharedBuffers) + sizeof(SharedDoorbell) + ranks * sizeof(SharedRing)) +
         buffers * sizeof(SharedBroadcastBuffer);
}

/// The ranks of a communicator on one node: `size` ranks from `first` on. This rank is `first` + `index`.
struct NodeRanks {
  int first, size, index;
};

/// The facts on which the ranks of a segment have agreed.
struct NodeFacts {
  bool oversubscribed = false;  // the node is oversubscribed for any rank; then all ranks ring doorbells
  bool single_copy = false;     // ranks may read one another's memory
};

/// The parts of the shared memory of a communicator's ranks on one node. Its functions count ranks from the node's
/// first rank on.
class Segment {
 public:
  /// `calls_before`: the number of the last call of the communicators that had the memory before.
  Segment(char* memory, int size, std::uint64_t calls_before = 0)
      : size_(size), memory_(memory), calls_before_(calls_before) {}

  /// The number of a call of the communicator among all calls in this memory.
  std::uint64_t number_of(std::uint64_t call) const { return calls_before_ + call; }
  void learn(const NodeFacts& facts) { facts_ = facts; }
  bool oversubscribed() const { return facts_.oversubscribed; }
  bool single_copy() const { return facts_.single_copy; }
  SharedBuffers& buffers_of(int rank) const { return reinterpret_cast<SharedBuffers*>(memory_)[rank]; }
  SharedRing& ring(int from, int to) const {
    return reinterpret_cast<SharedRing*>(&doorbell_of(size_))[to * size_ + from];
  }
  SharedDoorbell& doorbell_of(int rank) const { return reinterpret_cast<SharedDoorbell*>(&buffers_of(size_))[rank]; }
  /// The first of broadcast_buffers_of(size) broadcast buffers.
  SharedBroadcastBuffer* broadcast_buffers() const { return reinterpret_cast<SharedBroadcastBuffer*>(&ring(0, size_)); }

 private:
  const int size_;
  char* const memory_;
  const std::uint64_t calls_before_;
  NodeFacts facts_;
};

}  // namespace mpigraft::memory
