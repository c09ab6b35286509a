// SPDX-License-Identifier: MIT
#pragma once

#include "shim/abi/call.hpp"
#include "shim/abi/functions.hpp"
#include "shim/execute/plan.hpp"

namespace mpigraft::entry {

struct Communicator;

/// Nonblocking calls of one communicator that have begun and are not over. Each is a job beside the program. Those by
/// one transport state run one after the other, in the order in which they began. No call waits in vain: MPI lets a
/// collective wait until all ranks have called it, and a rank that has called one has called all earlier ones, too, and
/// carries them on.
class InFlight {
 public:
  explicit InFlight(Communicator& communicator) : communicator_(communicator) {}

  /// Begins a call whose facts are known, by a plan for calls like it, and makes its request. Returns MPI_SUCCESS, or
  /// an error without a request. REQUIRES: the plan names an algorithm; transport.ensure().
  int begin(const abi::Call& call, const execute::Plan& plan, abi::Request& request);

  /// Called in the blocking call after which so many have begun that further transport states may pay. Takes them if
  /// any rank has several under way at a time. Collective.
  void spread();

  /// Waits until all are over. Called before each blocking call that is grafted.
  void finish() {
    if (under_way_ > 0) wait_for_all();
  }

  /// The state of the communicator is needed by one more, or by one fewer: calls under way, and the requests of
  /// persistent ones.
  void enter() { ++users_; }
  void leave();
  /// Called when the program frees the communicator. Returns true if its state must live on; bury() then deletes it.
  bool keeps_communicator() { return freed_ = users_ > 0; }
  bool is_freed() const { return freed_; }

  /// Deletes the states of freed communicators whose calls are over. This must not happen where a call ends, because
  /// that may be inside a call of MPI on the same communicator.
  static void bury();

 private:
  class Begun;

  int carry_out_at_once(const abi::Call& call, const execute::Plan& plan, abi::Request& request);
  void wait_for_all();
  void count();

  Communicator& communicator_;
  std::uint64_t begun_ = 0;  // calls so far; equal on all ranks
  bool overlap_ = false;     // one began before the last was over
  int under_way_ = 0;
  int users_ = 0;
  bool freed_ = false;
  InFlight* next_dead_ = nullptr;
};

}  // namespace mpigraft::entry
