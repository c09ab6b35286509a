// SPDX-License-Identifier: MIT
// The Transport over MPI point-to-point, or over the channel of a node. The proofs do not cover it, so it is small: it
// handles addresses, tags and errors, and nothing that an algorithm could decide.
//
// A rank that fails still goes through its whole schedule, so that nobody waits for it in vain. Its messages are then
// empty, and their tags carry the error class. A rank that receives such a message has failed, too. The proof suite
// shows that the class reaches every rank that depends on the failed one.
#pragma once

#include <array>
#include <cstdint>

#include "algorithms/transport.hpp"
#include "shim/abi/arguments.hpp"
#include "shim/abi/datatype.hpp"
#include "shim/abi/functions.hpp"
#include "shim/abi/kernels.hpp"
#include "shim/execute/transport_state.hpp"

namespace mpigraft::execute {

class PmpiTransport {
 public:
  /// The origins of blocks that an algorithm gets.
  enum Origin { input, result, scratch_memory };

  /// A message under way. Fits in two registers.
  struct Request {
    abi::Request handle = abi::Request::null;
    memory::Channel::Ticket ticket = -1;  // the channel's message; -1: `handle` is MPI's
    int expected = -1;                    // elements of a receive; -1: a send, or a receive that drops the message
  };

  /// For a call whose facts are known, as a vector of `elements` elements of `type`, cut into `parts` if it has any. Up
  /// to `ports` messages are under way in each direction at once; equal on all ranks.
  PmpiTransport(const agree::Negotiated& agreed, TransportState& transport, const abi::Datatype& type,
                const abi::Call& call, std::int64_t elements, const Parts& parts, int ports);

  /// Sets the address of element 0 of an origin.
  void place(int origin, void* element_0) { base_[static_cast<std::size_t>(origin)] = static_cast<char*>(element_0); }
  /// Sets the memory for scratch, of bytes_for_scratch() bytes. Null: there is none, and this rank fails.
  void place_scratch(char* memory) {
    scratch_ = memory;
    starved_ = memory == nullptr;
    if (starved_) fail(abi::err_no_mem);
  }
  void begin_piece();

  int rank() const { return agreed_.rank; }
  int size() const { return agreed_.size; }

  Request isend(const Block& from, int to) { return start_send(from, to, false); }
  Request irecv(const Block& into, int from);
  void wait(Request request);
  void receive_and_combine(Request request, const Block& in, const Block& operand, const Block& out,
                           bool operand_is_lower);
  void send(const Block& from, int to) { wait(begin_send(from, to)); }
  /// Begins a send() that ends with the wait for its request.
  Request begin_send(const Block& from, int to) { return start_send(from, to, true); }

  void publish(const Block& from, std::int64_t step);
  void read(const Page& page, const Block& into);
  void read_and_combine(const Page& page, const Block& in, const Block& operand, const Block& out,
                        bool operand_is_lower);

  // For executions that must not wait: each is true once the operation of these arguments does not wait.
  bool can_wait(const Request& request, const memory::FusedReduction& reduction = {});
  bool can_receive_and_combine(const Request& request, const Block& operand, const Block& out, bool operand_is_lower);
  bool can_publish(const Block& from, std::int64_t step);
  bool can_read(const Page& page) { return transport_.pages->can_read(page); }

  void copy(const Block& from, const Block& to);
  void combine(const Block& lower, const Block& upper, const Block& out);
  Block scratch(std::int64_t count, int times = 1);

  /// MPI_SUCCESS, or the class of the first error on this rank, its own or another rank's.
  int error() const { return error_; }
  /// Makes the rank fail unless `code`, any MPI error code, is MPI_SUCCESS. The class of the first error is kept.
  void fail(int code);

 private:
  char* at(const Block& block) const;
  int tag() const;
  Request start_send(const Block& from, int to, bool of_round);
  bool goes_through_channel(std::int64_t count, int peer) const;
  Request drop(std::int64_t count, int from);
  bool fuses() const { return kernel_ && error_ == abi::success; }
  memory::FusedReduction with(const Block& operand, const Block& out, bool operand_is_lower) const {
    return {kernel_, at(operand), at(out), operand_is_lower};
  }
  void combine(const Block& lower, const Block& upper);
  void combine_arrived(const Block& in, const Block& operand, const Block& out, bool operand_is_lower);
  void check(const memory::Arrival& arrival, std::int64_t expected);

  const agree::Negotiated& agreed_;
  TransportState& transport_;
  memory::Channel* const channel_;  // null: all messages go through MPI
  std::uint64_t piece_;             // the current piece, counted over all calls
  const abi::Datatype type_;
  const abi::Op op_;
  const abi::Kernel kernel_;
  const std::int64_t count_;  // elements of the call
  const int call_tag_;        // sequence and size check of the call
  int error_ = abi::success;
  char* scratch_ = nullptr;
  bool starved_ = false;                  // no memory: what arrives is dropped
  std::int64_t row_ = 0, row_bytes_ = 0;  // of scratch: its elements, and the distance to the next
  std::array<char*, 3> base_;
};

static_assert(Transport<PmpiTransport>);

/// The bytes that place_scratch() needs for `scratch` elements in a call of `elements` elements of `type`.
std::size_t bytes_for_scratch(const abi::Datatype& type, std::int64_t elements, std::int64_t scratch);

}  // namespace mpigraft::execute
