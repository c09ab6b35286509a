// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <memory>

#include "shim/execute/transport_state.hpp"

namespace mpigraft::execute {

/// Further transport states of a communicator, each for one persistent operation. Ranks may start several of these in
/// different orders (MPI-4.0, 6.13), so each needs messages of its own.
class Lanes {
 public:
  ~Lanes();

  /// Lends a transport state that is free on all ranks, with the means of `main`, which is the communicator's; with a
  /// private communicator if `needs_comm`. Null, on all ranks, if there is none or any rank is not `ready`. Collective.
  TransportState* take(const agree::Negotiated& agreed, const TransportState& main, bool ready, bool needs_comm);
  /// Ends this rank's use.
  void give_back(const TransportState& state);

 private:
  struct Lane {
    TransportState state;
    bool taken = false;
    bool is_usable = true;  // as far as is known; equal on all ranks
    std::size_t bytes = 0;  // of shared memory
  };
  static constexpr std::size_t most = 8;

  bool make_usable(Lane& lane, const agree::Negotiated& agreed, const TransportState& main, bool needs_comm);

  std::array<std::unique_ptr<Lane>, most> lanes_;  // the first ones exist
};

}  // namespace mpigraft::execute
