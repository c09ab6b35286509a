// SPDX-License-Identifier: MIT
#include "shim/abi/arguments.hpp"

#include <array>
#include <atomic>
#include <cstdio>

#include "shim/abi/functions.hpp"

namespace mpigraft::abi {
namespace {

/// A function without a communicator would raise errors on MPI_COMM_WORLD and end the program.
std::atomic<Comm> made_own_comm{Comm::null};

/// Asks MPI whether it accepts the operator on the type (MPI-4.0, 6.9.2). Remembers the predefined pairs that it
/// accepted.
Answer accepts(Type type, Op op) {
  static std::array<std::atomic<std::uint16_t>, 256> accepted{};  // by type; one bit for each operator
  const Operator known = operator_of(op);
  const std::uint8_t number = facts_of(type).number;
  const bool predefined = number != 0 && known != Operator::of_program && known != Operator::other;
  const auto bit = static_cast<std::uint16_t>(1u << static_cast<unsigned>(known));
  if (predefined && (accepted[number].load(std::memory_order_relaxed) & bit) != 0) return Answer::yes;
  const Comm judge = own_comm();
  char nothing = 0;
  if (judge == Comm::null) return Answer::unasked;  // this rank had no context id left; others may have had one
  if (allreduce(in_place, &nothing, 0, type, op, judge) != success) return Answer::no;
  if (predefined) accepted[number].fetch_or(bit, std::memory_order_relaxed);
  return Answer::yes;
}

/// True if MPI accepts the type for communication, as far as is known.
bool is_committed(Type type) { return abi::accepts(type) != Answer::no; }

/// True if MPI accepts the buffer. Null is valid only as MPI_BOTTOM, from which elements lie elsewhere, or if elements
/// have no bytes.
bool is_buffer(const void* buffer, const Datatype& type) {
  return buffer != nullptr || (!is_builtin(type.handle) && (type.true_lb != 0 || type.size == 0));
}

/// As above, for `count` elements: without elements every address is valid.
bool is_buffer(const void* buffer, std::int64_t count, const Datatype& type) {
  return count == 0 || is_buffer(buffer, type);
}

/// True if the send buffer is where the result of this rank goes, which MPICH rejects. It computes the place with the
/// type's size instead of its extent, so we do, too.
bool sends_from_its_place(const Call& c, int rank) {
  const bool alike = c.send_type() == c.type && c.send_count != 0;
  if (!alike || (c.equal ? c.send_count != c.count : c.part(rank) == 0)) return false;
  return c.send == static_cast<char*>(c.recv) + c.place_of_part(rank) * c.datatype.size;
}

/// True if MPI accepts the receive buffer. Null is valid if every part that has elements goes to another address.
bool takes_parts(const Call& c, int size) {
  if (c.recv != nullptr || c.elements == 0 || is_buffer(c.recv, c.datatype))
    return c.elements == 0 || c.recv != in_place;
  for (int r = 0; r < size && !c.equal; ++r)
    if (c.part(r) > 0 && c.place_of_part(r) == 0) return false;
  return !c.equal;
}

/// The buffers of a call that receives the vector. MPI compares the send buffer only with this rank's own part, and
/// only if count and type are the same on both sides.
bool good_gathering_buffers(const Call& c, int rank, int size) {
  if ((!c.equal && !c.displs) || !takes_parts(c, size)) return false;
  if (!c.sends_typed()) return true;
  if (c.send == nullptr && !is_buffer(c.send, c.send_count, describe(c.send_type()))) return false;
  return !sends_from_its_place(c, rank);
}

/// The buffers of a call that sends the vector. With MPI_IN_PLACE it lies in the receive buffer, where one part of the
/// result stays.
bool good_scattering_buffers(const Call& c, int rank) {
  if (!is_buffer(c.recv, c.part(rank), c.datatype) || (c.part(rank) > 0 && c.recv == in_place)) return false;
  return c.send == in_place || (is_buffer(c.send, c.datatype) && c.send != c.recv);
}

[[gnu::noinline]] bool good_buffers_of_parts(const Call& c, int rank, int size) {
  if (c.info().input.length == Length::part) return good_gathering_buffers(c, rank, size);
  return c.elements == 0 || good_scattering_buffers(c, rank);
}

/// Finds the length of the vector. Returns false if MPI would reject a count or the sum overflows.
bool count_elements(Call& c, int size) {
  if (!c.info().has_parts()) return c.elements = c.count, c.count >= 0;
  if (c.equal) return c.count >= 0 && !__builtin_mul_overflow(c.count, size, &c.elements);
  if (!c.counts) return false;
  c.elements = sum_of_counts(c.counts, c.large, size);
  return c.elements >= 0;
}

/// True if MPI accepts count and type of the input. It looks at them only if the input has its own.
bool good_input(const Call& c) {
  return !c.sends_typed() || (c.send_count >= 0 && is_datatype(c.send_type()) && is_committed(c.send_type()));
}

}  // namespace

Answer accepts(Type type) {
  if (is_builtin(type)) return Answer::yes;
  const Comm judge = own_comm();
  char nothing = 0;
  if (judge == Comm::null) return Answer::unasked;
  return bcast(&nothing, 1, type, 0, judge) == success ? Answer::yes : Answer::no;
}

Comm own_comm() { return made_own_comm.load(std::memory_order_relaxed); }

void make_own_comm() {
  static std::atomic<int> serial{0};
  const auto make = [] {
    char tag[32];
    std::snprintf(tag, sizeof tag, "mpigraft own %d", serial.fetch_add(1));
    return comm_copy(comm_self, tag);
  };
  made_once(made_own_comm, Comm::null, make, comm_free);
}

bool good_buffers(const Call& c, int rank, int size) {
  if (c.in_parts()) return good_buffers_of_parts(c, rank, size);
  if (c.elements == 0) return true;
  const CollectiveInfo& info = c.info();
  if (info.in_place == InPlace::in_buffer) return is_buffer(c.recv, c.datatype) && c.recv != in_place;
  const bool has_no_input = c.send == in_place;
  if (info.result.holders == Holders::root_only && rank != c.root)
    return is_buffer(c.send, c.datatype) && !has_no_input;
  // MPI checks the receive buffer also on rank 0 of an exclusive scan, which leaves it alone.
  return is_buffer(c.recv, c.datatype) && c.recv != in_place &&
         (has_no_input || (is_buffer(c.send, c.datatype) && c.send != c.recv));
}

Call::Call(const RawCall& raw, const CallFacts& facts)
    : RawCall(raw),
      CallFacts(facts),
      type(passed<Type>(raw.raw_type)),
      op(passed<Op>(raw.raw_op)),
      bytes(facts.elements * facts.datatype.size) {}

bool inspect(Call& c, int rank, int size) {
  if (!c.info().moves_data()) return c.datatype = byte_stream(), true;
  if (!count_elements(c, size) || !is_datatype(c.type) || c.root < 0 || c.root >= size) return false;
  if (!c.info().combines()) {
    if (!is_committed(c.type) || !good_input(c)) return false;
  } else {
    const Answer answer = is_operator(c.op) ? accepts(c.type, c.op) : Answer::no;
    if (answer == Answer::no) return false;  // after `unasked` we go on: this rank must decide as the others do
    c.commutative = op_commutes(c.op);
    c.user_op = !is_builtin(c.op) && !is_own(c.op);
    if (answer == Answer::yes) c.kernel = kernels_for(c.op, c.type).fastest;
  }
  c.datatype = describe(c.type);
  return good_buffers(c, rank, size) && !__builtin_mul_overflow(c.elements, c.datatype.size, &c.bytes);
}

std::int64_t estimated_native_ns(const RawCall& raw, int size) {
  constexpr std::int64_t call_ns = 500, bytes_in_ns = 4, most = std::int64_t{1} << 40;
  const CollectiveInfo& info = info_of(raw.collective);
  if (!info.moves_data()) return call_ns;
  const Type type = passed<Type>(raw.raw_type);
  const std::int64_t elements = raw.equal ? raw.count * size : length_of(raw, size);
  const TypeFacts known = facts_of(type);
  const std::int64_t each = known.number != 0 ? known.bytes : type_size(type);
  std::int64_t bytes = 0;
  if (__builtin_mul_overflow(elements, each, &bytes) || bytes > most) bytes = most;
  return call_ns + bytes / bytes_in_ns;
}

}  // namespace mpigraft::abi
