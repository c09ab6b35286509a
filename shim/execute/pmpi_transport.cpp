// SPDX-License-Identifier: MIT
#include "shim/execute/pmpi_transport.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

#include "shim/abi/functions.hpp"
#include "shim/wait/requests.hpp"

namespace mpigraft::execute {
namespace {

// A tag is | sequence 6 | size check 7 | error class 7 |: 20 bits, the least that MPICH's devices offer. Receives take
// any tag, because only one call at a time uses the private communicator, and messages from one rank to another do not
// overtake (MPI-4.0, 3.5). The tag then tells what has arrived.
constexpr int class_bits = 7, check_bits = 7, sequence_bits = 6;
constexpr int class_mask = (1 << class_bits) - 1;
constexpr int check_mask = ((1 << check_bits) - 1) << class_bits;

/// The upper bits of a call's tags. The check detects vectors that differ between ranks in length or in parts.
int call_tag(std::uint64_t sequence, std::int64_t bytes, std::span<const std::int64_t> firsts) {
  constexpr std::uint64_t factor = 0x9e3779b97f4a7c15ULL;
  std::uint64_t mixed = static_cast<std::uint64_t>(bytes) * factor;
  for (const std::int64_t first : firsts) mixed = (mixed ^ static_cast<std::uint64_t>(first)) * factor;
  const int check = static_cast<int>(mixed >> (64 - check_bits));
  const int turn = static_cast<int>(sequence % (1u << sequence_bits));
  return (turn << check_bits | check) << class_bits;
}

/// The channel, or null if its buffers are too small for elements of `type`. Only the size may decide that, because
/// only the size is equal on all ranks.
memory::Channel* channel_for(TransportState& transport, const abi::Datatype& type) {
  return transport.channel && type.size <= memory::Channel::max_element_bytes ? &*transport.channel : nullptr;
}

/// Sends of a round of at least this many bytes are synchronous. MPI buffers even longer messages, so a rank that
/// receives nothing would otherwise begin the sends of all its rounds at once. They would share its link, and the
/// first, on which other ranks wait, would take as long as all. For shorter messages waiting for the receiver costs
/// more.
constexpr std::int64_t min_synchronous_bytes = 16 << 10;

constexpr std::size_t aligned(std::size_t bytes) { return (bytes + 63) / 64 * 64; }

}  // namespace

PmpiTransport::PmpiTransport(const agree::Negotiated& agreed, TransportState& transport, const abi::Datatype& type,
                             const abi::Call& call, std::int64_t elements, const Parts& parts, int ports)
    : agreed_(agreed),
      transport_(transport),
      channel_(channel_for(transport, type)),
      piece_(transport.sequence),
      type_(type),
      op_(call.op),
      kernel_(call.kernel),
      count_(elements),
      call_tag_(call_tag(transport.sequence, call.bytes, parts.firsts)) {
  if (channel_) channel_->begin(transport.sequence, type, ports);
}

void PmpiTransport::fail(int code) {
  if (error_ != abi::success || code == abi::success) return;
  const int error = abi::error_class(code);
  error_ = error > 0 && error <= class_mask ? error : abi::err_other;
}

std::size_t bytes_for_scratch(const abi::Datatype& type, std::int64_t elements, std::int64_t scratch) {
  const std::int64_t bytes = scratch * type.step() + 64;
  if (!type.interleaves()) return static_cast<std::size_t>(bytes);
  const std::int64_t rows = 2 * scratch / elements + 2;  // a row is longer than half of the vector
  return static_cast<std::size_t>(bytes + rows * (type.true_extent + 64));
}

/// Elements of a type that interleaves are disjoint in blocks up to the vector's length, but may overlap in longer
/// ones. Scratch that is longer is therefore divided into rows of at most that length, which lie apart.
Block PmpiTransport::scratch(std::int64_t count, int times) {
  const Block block{scratch_memory, 0, count * times};
  row_ = block.count;
  if (type_.interleaves() && block.count > count_) row_ = std::max<std::int64_t>(1, count_ / count) * count;
  row_bytes_ = static_cast<std::int64_t>(aligned(static_cast<std::size_t>(type_.span(row_))));
  if (scratch_) place(scratch_memory, type_.element_0(scratch_, row_));
  return block;
}

void PmpiTransport::begin_piece() {
  if (transport_.pages) transport_.pages->begin(++piece_, type_);
}

char* PmpiTransport::at(const Block& block) const {
  char* const base = base_[static_cast<std::size_t>(block.origin)];
  if (block.origin != scratch_memory || block.first < row_) return abi::moved(base, block.first * type_.extent);
  return abi::moved(base, block.first / row_ * row_bytes_ + block.first % row_ * type_.extent);
}

int PmpiTransport::tag() const { return call_tag_ | error_; }

/// True if a message of `count` elements to or from `peer` goes through the channel. Both ends must find the same, so
/// errors do not matter here.
bool PmpiTransport::goes_through_channel(std::int64_t count, int peer) const {
  return channel_ && channel_->reaches(peer) && channel_->carries(count * type_.size);
}

PmpiTransport::Request PmpiTransport::start_send(const Block& from, int to, bool of_round) {
  Request request;
  if (goes_through_channel(from.count, to)) {
    const bool failed = error_ != abi::success;
    request.ticket = channel_->isend({failed ? nullptr : at(from), failed ? 0 : from.count, tag()}, to);
    return request;
  }
  const bool here = channel_ && channel_->reaches(to);
  const auto start = of_round && !here && from.count * type_.size >= min_synchronous_bytes ? abi::issend : abi::isend;
  if (error_ != abi::success) {
    fail(abi::isend(nullptr, 0, abi::type_byte, to, tag(), transport_.comm, request.handle));
  } else {
    fail(start(at(from), static_cast<int>(from.count), type_.handle, to, tag(), transport_.comm, request.handle));
  }
  return request;
}

PmpiTransport::Request PmpiTransport::irecv(const Block& into, int from) {
  Request request;
  if (goes_through_channel(into.count, from)) {
    request.expected = static_cast<int>(into.count);
    request.ticket = channel_->irecv({starved_ ? nullptr : at(into), into.count, 0, starved_}, from);
    return request;
  }
  if (starved_) return drop(into.count, from);
  request.expected = static_cast<int>(into.count);
  fail(abi::irecv(at(into), static_cast<int>(into.count), type_.handle, from, abi::any_tag, transport_.comm,
                  request.handle));
  return request;
}

/// Receives without a buffer, by a type that stores all pages of the message at the same place. A receive that is too
/// short would be simpler, but MPICH raises its error on MPI_COMM_WORLD, where it ends the program.
PmpiTransport::Request PmpiTransport::drop(std::int64_t count, int from) {
  static std::array<char, 4096> sink;
  const std::int64_t pages = count * type_.size / static_cast<std::int64_t>(sink.size()) + 1;
  Request request;
  abi::Type pile = abi::type_piled(static_cast<int>(pages), static_cast<int>(sink.size()));
  fail(abi::irecv(sink.data(), 1, pile, from, abi::any_tag, transport_.comm, request.handle));
  abi::type_free(pile);
  return request;
}

void PmpiTransport::check(const memory::Arrival& arrival, std::int64_t expected) {
  if (starved_) return;
  if (!arrival.in_step) return fail(abi::err_intern);
  const int told = arrival.tag & class_mask;
  if (told != abi::success) return fail(told);
  if (arrival.error != abi::success) return fail(arrival.error);
  const bool complete = arrival.bytes == expected * type_.size;
  if ((arrival.tag & check_mask) != (call_tag_ & check_mask) || !complete) return fail(abi::err_truncate);
  if (arrival.tag >> class_bits != call_tag_ >> class_bits) fail(abi::err_intern);
}

void PmpiTransport::wait(Request request) {
  if (request.ticket >= 0) {
    const memory::Arrival arrival = channel_->wait(request.ticket);
    return request.expected >= 0 ? check(arrival, request.expected) : fail(arrival.error);
  }
  abi::Status status;
  if (!channel_ || !channel_->wait_beside(request.handle, status)) wait::wait_for(request.handle, status);
  if (request.expected < 0) return fail(status.error);
  check({.tag = abi::tag_of(status), .bytes = abi::count_of(status, type_.handle) * type_.size, .error = status.error},
        request.expected);
}

void PmpiTransport::receive_and_combine(Request request, const Block& in, const Block& operand, const Block& out,
                                        bool operand_is_lower) {
  if (request.ticket >= 0 && fuses())
    return check(channel_->wait(request.ticket, with(operand, out, operand_is_lower)), request.expected);
  wait(request);
  combine_arrived(in, operand, out, operand_is_lower);
}

bool PmpiTransport::can_wait(const Request& request, const memory::FusedReduction& reduction) {
  if (request.ticket >= 0) return channel_->is_over(request.ticket, reduction);
  if (channel_) channel_->advance();
  return abi::request_get_status(request.handle);
}

bool PmpiTransport::can_receive_and_combine(const Request& request, const Block& operand, const Block& out,
                                            bool operand_is_lower) {
  return can_wait(request, fuses() ? with(operand, out, operand_is_lower) : memory::FusedReduction{});
}

bool PmpiTransport::can_publish(const Block& from, std::int64_t step) {
  return transport_.pages->can_publish(error_ == abi::success ? from.count : 0, step);
}

void PmpiTransport::publish(const Block& from, std::int64_t step) {
  const bool failed = error_ != abi::success;
  fail(transport_.pages->publish({failed ? nullptr : at(from), failed ? 0 : from.count, tag()}, step));
}

void PmpiTransport::read(const Page& page, const Block& into) {
  const memory::Message message{.element_0 = starved_ ? nullptr : at(into), .count = into.count, .drops = starved_};
  check(transport_.pages->read(page, message), into.count);
}

void PmpiTransport::read_and_combine(const Page& page, const Block& in, const Block& operand, const Block& out,
                                     bool operand_is_lower) {
  if (fuses())
    return check(transport_.pages->read(page, {.count = in.count}, with(operand, out, operand_is_lower)), in.count);
  read(page, in);
  combine_arrived(in, operand, out, operand_is_lower);
}

void PmpiTransport::copy(const Block& from, const Block& to) {
  if (error_ != abi::success || from.count == 0 || at(from) == at(to)) return;
  if (type_.contiguous) {
    std::memcpy(at(to), at(from), static_cast<std::size_t>(from.count * type_.size));
    return;
  }
  fail(abi::copy(at(from), at(to), static_cast<int>(from.count), type_.handle));
}

void PmpiTransport::combine(const Block& lower, const Block& upper) {
  if (error_ != abi::success || upper.count == 0) return;
  if (kernel_) return kernel_(at(lower), at(upper), at(upper), upper.count);
  fail(abi::reduce_local(type_, at(lower), at(upper), static_cast<int>(upper.count), op_));
}

/// If the operand is the lower one, it may be `out`. Without a kernel `in` therefore takes the sum first.
void PmpiTransport::combine_arrived(const Block& in, const Block& operand, const Block& out, bool operand_is_lower) {
  if (!operand_is_lower) return combine(in, operand, out);
  if (kernel_) return combine(operand, in, out);
  combine(operand, in);
  copy(in, out);
}

void PmpiTransport::combine(const Block& lower, const Block& upper, const Block& out) {
  if (fuses()) return kernel_(at(lower), at(upper), at(out), out.count);
  copy(upper, out);
  combine(lower, out);
}

}  // namespace mpigraft::execute
