// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "shim/execute/transport_state.hpp"

namespace mpigraft::execute {

/// Further transport states of a communicator, so that several operations can be under way at a time. Each persistent
/// one has one of its own, because ranks may start several in different orders (MPI-4.0, 6.13). Nonblocking calls,
/// whose order is the same on all ranks, take turns.
class TransportPool {
 public:
  static constexpr std::size_t most_turns = 3;  // for nonblocking calls

  ~TransportPool();

  /// Lends a transport state that is free on all ranks, with the means of `main`, which is the communicator's; with a
  /// private communicator if `needs_comm`. Null, on all ranks, if there is none or any rank is not `ready`. Collective.
  TransportState* take(const agree::Negotiated& agreed, const TransportState& main, bool ready, bool needs_comm) {
    return take_of(0, most_persistent, agreed, main, ready, needs_comm);
  }
  /// Ends this rank's use.
  void give_back(const TransportState& state);

  /// Takes transport states for nonblocking calls, as many as are free. Collective, as take().
  void take_turns(const agree::Negotiated& agreed, const TransportState& main);
  /// The transport state of a nonblocking call, by its number.
  TransportState& in_turn(std::uint64_t call, TransportState& main) const {
    const std::size_t turn = call % (turns_ + 1);
    return turn == 0 ? main : *in_turns_[turn - 1];
  }

 private:
  struct Member {
    TransportState state;
    bool taken = false;
    bool is_usable = true;  // as far as is known; equal on all ranks
    std::size_t bytes = 0;  // of shared memory
  };
  static constexpr std::size_t most_persistent = 8, most = most_persistent + most_turns;

  TransportState* take_of(std::size_t begin, std::size_t end, const agree::Negotiated& agreed,
                          const TransportState& main, bool ready, bool needs_comm);
  bool make_usable(Member& member, const agree::Negotiated& agreed, const TransportState& main, bool needs_comm);

  // those of persistent operations, then those of nonblocking calls
  std::array<std::unique_ptr<Member>, most> members_;
  std::array<TransportState*, most_turns> in_turns_{};
  std::size_t turns_ = 0;
};

}  // namespace mpigraft::execute
