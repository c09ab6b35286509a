// SPDX-License-Identifier: MIT
// Messages between the ranks of a node through a shared segment, in place of MPI's messages.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <vector>

#include "algorithms/info.hpp"
#include "shim/abi/datatype.hpp"
#include "shim/abi/functions.hpp"
#include "shim/abi/kernels.hpp"
#include "shim/memory/segment.hpp"
#include "shim/memory/single_copy.hpp"

namespace mpigraft::memory {

/// The elements that a rank sends or expects: `count` elements from `element_0` on.
struct Message {
  char* element_0 = nullptr;
  std::int64_t count = 0;
  int tag = 0;         // of a message that is sent; a receive does not look at it
  bool drops = false;  // true: what is received is not stored
};

/// A reduction fused with a receive, in place of storing the message: out := message (+) operand, or operand (+)
/// message.
struct FusedReduction {
  abi::Kernel kernel = nullptr;  // null: the message is stored
  const char* operand = nullptr;
  char* out = nullptr;
  bool operand_is_lower = false;

  /// For `count` elements of the message, which lie at `payload`, and `from` bytes after its first.
  void combine(const char* payload, std::int64_t from, std::int64_t count) const {
    const char* const other = operand + from;
    operand_is_lower ? kernel(other, payload, out + from, count) : kernel(payload, other, out + from, count);
  }
};

struct Arrival {
  int tag = 0;
  std::int64_t bytes = 0;
  bool in_step = true;       // false: the sender has left the call, and this message never comes
  int error = abi::success;  // MPI error code of packing or unpacking
};

/// One rank's end of all messages inside a node. Messages from one rank to another arrive in the order in which they
/// were sent, also those of different calls.
class Channel {
 public:
  using Ticket = int;

  /// Without single copies, longer messages go through MPI, which may copy them once; buffers copy them twice.
  static constexpr std::int64_t max_copied_bytes = 128 << 10;
  /// Messages of at least this many bytes are sent by a single copy. For shorter ones the system call takes longer than
  /// two copies. On an oversubscribed node a sender would have to wait until its reader has a core, so only messages
  /// that would otherwise go through MPI are sent so.
  static constexpr std::int64_t min_single_copy_bytes = 20 << 10,
                                min_single_copy_oversubscribed_bytes = max_copied_bytes + 1;
  /// Larger elements cannot be sent, because a fragment has whole elements and lies in one buffer.
  static constexpr std::int64_t max_element_bytes = SharedBuffers::buffer_bytes;

  /// For at least two ranks that have leased `segment`. May throw std::bad_alloc.
  Channel(const NodeRanks& node, const Segment& segment);
  const Segment& segment() const { return segment_; }
  void learn(const NodeFacts& facts) { segment_.learn(facts), single_copy_ = facts.single_copy; }
  bool reaches(int rank) const { return rank >= node_.first && rank < node_.first + node_.size; }
  /// True if messages of `bytes` bytes go through the channel. Equal on all ranks.
  bool carries(std::int64_t bytes) const { return bytes <= max_copied_bytes || segment_.single_copy(); }

  /// Begins call number `call`: its messages have elements of `type`, and up to `ports` of them are under way in each
  /// direction at once. Forgets messages of an earlier call that its operator left by an exception.
  void begin(std::uint64_t call, const abi::Datatype& type, int ports);

  /// `to` and `from` are ranks of the communicator. A message's memory must stay as it is until wait().
  Ticket isend(const Message& message, int to) { return start(true, message, to); }
  Ticket irecv(const Message& message, int from) { return start(false, message, from); }
  /// Waits until a message is over. A receive with a `reduction` combines it instead of storing it.
  Arrival wait(Ticket ticket, const FusedReduction& reduction = {});
  /// Moves all messages on. Returns true if this one is over, so that wait() with the same `reduction` does not wait.
  /// Else the job that runs knows what would wake it.
  bool is_over(Ticket ticket, const FusedReduction& reduction);
  /// Moves all messages on as far as they can go now.
  void advance();
  /// Waits for a message of MPI while those of the channel move on. Returns true if MPI's message is over; then
  /// `status` holds its error. Returns false once no message of the channel is left to move.
  bool wait_beside(abi::Request& request, abi::Status& status);

 private:
  static constexpr int max_messages = 2 * max_ports;

  enum class State { none, under_way, exposed, over };
  struct Pending {
    State state = State::none;
    bool sends = false;
    int peer = -1;             // counted from the node's first rank on
    std::uint32_t number = 0;  // counts isend and irecv
    Message message;
    std::int64_t done = 0;          // bytes sent or received
    std::int64_t had = 0;           // bytes of a single copy that were combined before it was refused
    FusedReduction reduction = {};  // for the bytes that arrive from now on
    Arrival result = {};

    bool is_under_way() const { return state == State::under_way || state == State::exposed; }
  };

  Ticket start(bool sends, const Message& message, int peer);
  bool first_of_peer(const Pending& pending) const;
  bool under_way() const;
  bool advance(Pending& pending);
  bool advance_all();
  /// Combines what has arrived of a message, and the rest as it arrives.
  void combine_with(const FusedReduction& reduction, Pending& pending) const {
    if (!reduction.kernel || pending.reduction.kernel) return;
    pending.reduction = reduction;
    combine(pending, pending.message.element_0, 0, pending.done);
  }
  std::uint32_t awaited() const;
  void sleep();
  void ring_doorbells();
  bool send(Pending& pending);
  bool wants_single_copy(const Pending& pending) const;
  bool send_by_single_copy(Pending& pending);
  bool end_single_copy(Pending& pending);
  bool receive(Pending& pending);
  bool read_single_copy(Pending& pending, const RemoteAddress& from, std::int64_t total);
  std::int64_t fragment_bytes(std::int64_t total) const;
  std::int64_t whole_elements(std::int64_t bytes) const;
  void take(Pending& pending, const char* payload, std::int32_t bytes);
  void combine(const Pending& pending, const char* payload, std::int64_t from, std::int64_t bytes) const;

  const NodeRanks node_;
  std::vector<Writer<SharedRing>> to_;
  std::vector<Reader<SharedRing>> from_;
  Segment segment_;
  bool single_copy_ = false;
  std::array<Pending, max_messages> messages_;
  int used_ = 0;  // messages_ from here on are in no use
  std::uint32_t call_ = 0, started_ = 0, waits_ = 0;
  abi::Datatype type_{};
  std::bitset<max_sharing_ranks> to_ring_;        // ranks for which something was written since the last doorbells
  std::uint32_t share_ = SharedBuffers::buffers;  // most fragments in flight to one rank: all ports have buffers
};

}  // namespace mpigraft::memory
