// SPDX-License-Identifier: MIT
// Messages between the ranks of a node through a shared segment, instead of MPI's.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <vector>

#include "algorithms/info.hpp"
#include "shim/abi/datatype.hpp"
#include "shim/abi/functions.hpp"
#include "shim/abi/kernels.hpp"
#include "shim/abi/packed.hpp"
#include "shim/memory/peer_memory.hpp"
#include "shim/memory/segment.hpp"

namespace mpigraft::memory {

/// The elements that a rank sends or expects: `count` elements from `element_0` on.
struct Parcel {
  char* element_0 = nullptr;
  std::int64_t count = 0;
  int tag = 0;         // of a message that is sent
  bool drops = false;  // nothing is kept of what comes
};

/// A combination with a message instead of keeping it: out := message (+) upper.
struct Joining {
  abi::Kernel kernel = nullptr;  // null: it is kept
  const char* upper = nullptr;
  char* out = nullptr;
};

/// The outcome: what has come, or how a message could not be sent.
struct Arrival {
  int tag = 0;
  std::int64_t bytes = 0;
  bool in_step = true;       // false: the sender has left the call, and this message never comes
  int error = abi::success;  // of packing
};

/// One rank's end. Messages of a pair come in the order in which they were sent, also those of different calls.
class Channel {
 public:
  using Ticket = int;

  /// Longer messages are MPI's where ranks do not lend theirs: it may copy them once, where slots copy them twice.
  static constexpr std::int64_t max_copied_bytes = 128 << 10;
  /// From here on messages are lent: below, the system call takes longer than two copies. Where ranks share cores, the
  /// sender would have to wait until its reader has one, so there only those are that would be MPI's.
  static constexpr std::int64_t min_lent_bytes = 20 << 10, min_lent_crowded_bytes = max_copied_bytes + 1;
  /// A slot takes whole elements.
  static constexpr std::int64_t max_element_bytes = SharedSlots::slot_bytes;

  /// Collective over the node's ranks, at least two; `usable()` is equal on all of them.
  Channel(const NodeRanks& node, abi::ShiftedTypes& shifted);
  bool usable() const { return static_cast<bool>(segment_); }
  const Segment& segment() const { return segment_; }
  bool reaches(int rank) const { return rank >= node_.first && rank < node_.first + node_.size; }
  /// Whether messages of so many bytes are for the channel: equal on all ranks.
  bool carries(std::int64_t bytes) const { return bytes <= max_copied_bytes || segment_.lends(); }

  /// The messages from here on are those of call number `call`, with elements of `type`, and up to `ports` each way at
  /// once. Messages that an earlier call has not ended, as its operator threw an exception, is forgotten.
  void begin(std::uint32_t call, const abi::Datatype& type, int ports);

  Ticket isend(const Parcel& parcel, int to) { return start(true, parcel, to); }
  Ticket irecv(const Parcel& parcel, int from) { return start(false, parcel, from); }
  Arrival wait(Ticket ticket, const Joining& joining = {});
  /// Sends and receives.
  void swap(const Parcel& out, int to, const Parcel& in, int from);
  /// Waits for a message of MPI's, while those of the channel move on; true when it is over, false when nothing is left
  /// to be moved here. `status` then holds its error, too.
  bool wait_beside(abi::Request& request, abi::Status& status);

 private:
  static constexpr int max_messages = 2 * max_ports;

  enum class State { none, under_way, lent, over };
  struct Message {
    State state = State::none;
    bool sends = false;
    int peer = -1;             // counted from the node's first rank on
    std::uint32_t number = 0;  // in the order of isend and irecv
    Parcel parcel;
    std::int64_t done = 0;  // bytes
    std::int64_t had = 0;   // of a loan, when it was refused
    Joining joining = {};   // of those that come from now on
    Arrival result = {};

    bool is_under_way() const { return state == State::under_way || state == State::lent; }
  };

  bool reserve(int size);
  Ticket start(bool sends, const Parcel& parcel, int peer);
  bool first_of_peer(const Message& message) const;
  bool under_way() const;
  bool advance(Message& message);
  bool advance_all();
  void sleep();
  void ring_bells();
  bool send(Message& message);
  bool is_to_lend(const Message& message) const;
  bool send_as_loan(Message& message);
  bool end_loan(Message& message);
  bool receive(Message& message);
  bool read_loan(Message& message, const Place& from, std::int64_t total);
  std::int64_t fragment_bytes() const;
  std::int64_t whole_elements(std::int64_t bytes) const;
  void put(Message& message, char* text, std::int32_t bytes);
  void take(Message& message, const char* text, std::int32_t bytes);
  void join(const Message& message, const char* text, std::int64_t from, std::int64_t bytes) const;

  const NodeRanks node_;
  abi::ShiftedTypes& shifted_;
  std::vector<Writer<SharedRing>> to_;
  std::vector<Reader<SharedRing>> from_;
  const Segment segment_;
  bool lends_;
  std::array<Message, max_messages> messages_;
  int used_ = 0;  // from here on there are none
  std::uint32_t call_ = 0, started_ = 0, waits_ = 0;
  abi::Datatype type_{};
  std::bitset<max_sharing_ranks> to_ring_;    // ranks for which something was written
  std::uint32_t share_ = SharedSlots::slots;  // fragments on their way to one rank: the slots are enough for all ports
};

}  // namespace mpigraft::memory
