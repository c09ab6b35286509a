// SPDX-License-Identifier: MIT
#pragma once

#include "shim/abi/call.hpp"
#include "shim/abi/functions.hpp"
#include "shim/operation/decision.hpp"

namespace mpigraft::entry {

struct Communicator;

/// Nonblocking calls of one communicator that have begun and are not over. They are carried on one at a time, in the
/// order in which they began, on a stack beside the program's. That is sound, because MPI lets a collective wait until
/// all ranks have called it: whoever has called one has called all earlier ones, too, and carries them on.
class InFlight {
 public:
  explicit InFlight(Communicator& communicator) : communicator_(communicator) {}

  /// Begins an inspected call, for which `decision` names an algorithm; the traffic stands. MPI_SUCCESS, or the error
  /// for which there is no request.
  int begin(const abi::RawCall& raw, const abi::Call& call, const operation::Decision& decision, abi::Request& request);

  /// Returns when all are over: before the next blocking call.
  void finish() {
    if (first_) wait_for(nullptr);
  }

  /// The program has freed the communicator. True: it lives on until all are over, and somebody buries it.
  bool keeps_communicator() { return freed_ = first_ != nullptr; }

  /// Deletes communicators whose calls are over. Not done where a call ends, which may be in a call of MPI's on the
  /// very communicator.
  static void bury();

 private:
  class Begun;

  int carry_out_at_once(const abi::RawCall& raw, const abi::Call& call, const operation::Decision& decision,
                        abi::Request& request);
  void wait_for(const Begun* one);  // null: all
  void carry_out_all();
  static void carry_out_all_of(void* in_flight) { static_cast<InFlight*>(in_flight)->carry_out_all(); }

  Communicator& communicator_;
  Begun *first_ = nullptr, *last_ = nullptr;
  bool freed_ = false;
  InFlight* next_dead_ = nullptr;
};

}  // namespace mpigraft::entry
