// SPDX-License-Identifier: MIT
// Pages that the ranks of a node publish to one another in the segment.
#pragma once

#include <cstdint>

#include "algorithms/transport.hpp"
#include "shim/abi/datatype.hpp"
#include "shim/abi/packed.hpp"
#include "shim/memory/board.hpp"
#include "shim/memory/channel.hpp"
#include "shim/memory/segment.hpp"

namespace mpigraft::memory {

/// One rank's end, where all ranks of the communicator are on one node.
class Pages {
 public:
  Pages(const Segment& segment, const NodeRanks& node, abi::ShiftedTypes& shifted)
      : segment_(segment), node_(node), shifted_(shifted), boards_(segment.boards(), node.size, node.own) {}

  /// From here on steps are those of call number `call`, with elements of `type`. Whoever still waits for an earlier
  /// call of this rank, as its operator threw an exception there, learns that it has left.
  void begin(std::uint64_t call, const abi::Datatype& type);
  /// An MPI error code, of packing.
  int publish(const Parcel& parcel, std::int64_t step);
  Arrival read(const Page& page, const Parcel& into, const Joining& joining = {});

 private:
  auto waiting() {
    return [this](const std::atomic<Position>& word, Position at, int rank) { return wait(word, at, rank); };
  }
  Position wait(const std::atomic<Position>& word, Position position, int rank);
  void take(const char* text, const Parcel& into, const Joining& joining, Arrival& arrival);
  void ring_bells();

  const Segment& segment_;
  const NodeRanks node_;
  abi::ShiftedTypes& shifted_;
  Boards<SharedBoard> boards_;
  abi::Datatype type_{};
  std::uint64_t call_ = 0;
  Position rung_ = 0;  // where all bells were last rung
};

}  // namespace mpigraft::memory
