// SPDX-License-Identifier: MIT
// Pages that the ranks of a node publish for one another in the segment.
#pragma once

#include <cstdint>

#include "algorithms/transport.hpp"
#include "shim/abi/datatype.hpp"
#include "shim/memory/broadcast_buffer.hpp"
#include "shim/memory/channel.hpp"
#include "shim/memory/segment.hpp"

namespace mpigraft::memory {

/// One rank's end of all pages. REQUIRES: all ranks of the communicator are on one node.
class Pages {
 public:
  Pages(const Segment& segment, const NodeRanks& node)
      : segment_(segment), node_(node), buffers_(segment.broadcast_buffers(), node.size, node.index) {}

  /// Begins call number `call`, with elements of `type`. Ranks that still wait for this rank in a call that its
  /// operator left by an exception thereby learn that it has left.
  void begin(std::uint64_t call, const abi::Datatype& type);
  /// Publishes the message in step `step` of the call. Returns the MPI error code of packing.
  int publish(const Message& message, std::int64_t step);
  /// Waits for a page and stores its elements `page.first` ... in `into`, or combines them if `reduction` has a kernel.
  Arrival read(const Page& page, const Message& into, const FusedReduction& reduction = {});

  /// Return true if publish() of `count` elements, or read(), does not wait now. Else the job that runs knows what
  /// would wake it.
  bool can_publish(std::int64_t count, std::int64_t step);
  bool can_read(const Page& page);

 private:
  /// What this rank looked for in vain: `rank` is to come to `position`, in `word` or by moving past it.
  struct Awaited {
    const std::atomic<Position>* word = nullptr;
    Position position = 0;
    int rank = 0;
  };

  /// The `wait` and the `look` of BroadcastBuffers.
  auto waiting() {
    return [this](const std::atomic<Position>& word, Position position, int rank) {
      const Position found = word.load(std::memory_order_acquire);
      return before(found, position) ? wait_for({&word, position, rank}) : found;
    };
  }
  auto looking() {
    return [this](const std::atomic<Position>& word, Position position, int rank) {
      const Position found = word.load(std::memory_order_acquire);
      if (before(found, position)) awaited_ = {&word, position, rank};
      return found;
    };
  }
  [[gnu::noinline]] Position wait_for(const Awaited& awaited);
  bool reached(const Awaited& awaited) const;
  bool gone_on(const Awaited& awaited) const;
  bool comes_soon() const;
  bool can(auto succeeds);
  void take(const char* payload, const Message& into, const FusedReduction& reduction, Arrival& arrival);
  void ring_doorbells();

  const Segment& segment_;
  const NodeRanks node_;
  BroadcastBuffers<SharedBroadcastBuffer> buffers_;
  abi::Datatype type_{};
  std::uint64_t call_ = 0;
  Position rung_ = 0;  // the position for which all doorbells were last rung
  Awaited awaited_;
  std::uint32_t looks_ = 0;  // in vain, for pages
};

}  // namespace mpigraft::memory
