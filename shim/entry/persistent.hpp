// SPDX-License-Identifier: MIT
// The persistent forms of collectives (MPI-4.0, 6.13).
#pragma once

#include <optional>

#include "shim/abi/call.hpp"
#include "shim/entry/carried_call.hpp"
#include "shim/execute/transport_state.hpp"

namespace mpigraft::entry {

struct Communicator;

/// Grafts the persistent form of `call`, or counts it for the report. `request_place` is the address for its request.
/// Returns MPI's error code; nothing if MPI must make the call. Collective: it may wait for other ranks, as MPI's own
/// may.
std::optional<int> graft_persistent(const abi::RawCall& call, void* request_place);

/// A grafted persistent operation. Its request is MPI's: that of an empty message from this rank to itself, on the
/// private communicator. So MPI's functions take it, whatever language calls them. MPI_Start begins the receive;
/// whatever waits for that polls, and so carries the operation on; at its end the rank sends the message. (On a
/// communicator of one rank, MPICH takes such a message in without counting it as progress, and then waits on.)
class Persistent final : public wait::Job {
 public:
  Persistent(Communicator& communicator, const abi::RawCall& raw, const abi::CallFacts& facts,
             const execute::Plan& plan);
  ~Persistent();

  /// Makes the request. Returns false without memory.
  bool prepare();
  /// Puts the request at `place`. The operation will run by `transport`.
  void give_out(execute::TransportState& transport, void* place);

  static bool any() { return first != nullptr; }
  /// The operation of a request; null: the request is not ours.
  static Persistent* of(abi::Request request);

  /// Called when MPI has started the request.
  void start();
  /// Called when the program has freed it. The operation may be under way.
  void free();

  Outcome advance() override { return carried_.advance(*transport_); }
  void ended() override;

 private:
  static constinit Persistent* first;  // of all, in the order of their tags

  Communicator& communicator_;
  CarriedCall carried_;
  execute::TransportState* transport_ = nullptr;
  int tag_ = 0;
  Persistent* next_ = nullptr;
  abi::Request request_ = abi::Request::null;
  bool is_under_way_ = false, freed_ = false;
};

}  // namespace mpigraft::entry
