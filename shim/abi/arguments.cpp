// SPDX-License-Identifier: MIT
#include "shim/abi/arguments.hpp"

#include <array>
#include <atomic>
#include <cstdio>

#include "shim/abi/functions.hpp"

namespace mpigraft::abi {
namespace {

/// A communicator of this rank alone, on which MPI itself judges handles: its errors come back as return codes,
/// where other calls would raise them on MPI_COMM_WORLD and end the program.
std::atomic<Comm> probe_comm{Comm::null};

Comm probe() {
  Comm comm = probe_comm.load();
  if (comm != Comm::null) return comm;
  static std::atomic<int> serial{0};
  char tag[32];
  std::snprintf(tag, sizeof tag, "mpigraft probe %d", serial.fetch_add(1));
  Comm mine = comm_copy(comm_self, tag);
  if (mine == Comm::null) return mine;
  if (probe_comm.compare_exchange_strong(comm, mine)) return mine;
  comm_free(mine);  // another thread was first
  return comm;
}

enum class Answer { no, unasked, yes };

/// Asks MPI whether it takes the operator on the type; remembers the predefined pairs it took.
Answer accepts(Type type, Op op) {
  static std::array<std::atomic<std::uint16_t>, 256> accepted{};  // a bit for each operator
  const Operator known = operator_of(op);
  const std::uint8_t number = facts_of(type).number;
  const bool predefined = number != 0 && known != Operator::of_program && known != Operator::other;
  const auto bit = static_cast<std::uint16_t>(1u << static_cast<unsigned>(known));
  if (predefined && (accepted[number].load(std::memory_order_relaxed) & bit) != 0) return Answer::yes;
  const Comm judge = probe();
  char nothing = 0;
  if (judge == Comm::null) return Answer::unasked;  // out of context ids on this rank alone
  if (allreduce(in_place, &nothing, 0, type, op, judge) != success) return Answer::no;
  if (predefined) accepted[number].fetch_or(bit, std::memory_order_relaxed);
  return Answer::yes;
}

/// Whether MPI takes the type for communication: uncommitted ones it does not.
bool is_committed(Type type) {
  if (is_builtin(type)) return true;
  const Comm judge = probe();
  char nothing = 0;
  return judge == Comm::null || bcast(&nothing, 1, type, 0, judge) == success;
}

/// Null is an address only where elements lie elsewhere (MPI_BOTTOM) or have no bytes.
bool is_buffer(const void* buffer, const Datatype& type) {
  return buffer != nullptr || (!is_builtin(type.handle) && (type.true_lb != 0 || type.size == 0));
}

}  // namespace

bool good_buffers(const Call& c, int rank) {
  if (c.count == 0) return true;
  const CollectiveInfo& info = c.info();
  if (info.in_place == InPlace::in_buffer) return is_buffer(c.recv, c.datatype) && c.recv != in_place;
  const bool has_no_input = c.send == in_place;
  if (info.result.holders == Holders::root_only && rank != c.root)
    return is_buffer(c.send, c.datatype) && !has_no_input;
  // also on the first rank of an exclusive scan, whose result is not written
  return is_buffer(c.recv, c.datatype) && c.recv != in_place &&
         (has_no_input || (is_buffer(c.send, c.datatype) && c.send != c.recv));
}

Call::Call(const RawCall& raw, const CallFacts& facts)
    : CallFacts(facts),
      collective(raw.collective),
      send(raw.send),
      recv(raw.recv),
      count(raw.count),
      type(passed<Type>(raw.type)),
      op(passed<Op>(raw.op)),
      root(raw.root) {}

bool inspect(Call& c, int rank, int size) {
  if (!c.info().moves_data()) return c.datatype = byte_stream(), true;
  if (c.count < 0 || !is_datatype(c.type) || c.root < 0 || c.root >= size) return false;
  if (!c.info().combines()) {
    if (!is_committed(c.type)) return false;
  } else {
    const Answer answer = is_operator(c.op) ? accepts(c.type, c.op) : Answer::no;
    if (answer == Answer::no) return false;  // unasked: this rank's decision must not differ
    c.commutative = op_commutes(c.op);
    c.user_op = !is_builtin(c.op);
    if (answer == Answer::yes) c.kernel = kernels_for(c.op, c.type).fastest;
  }
  c.datatype = describe(c.type);
  return good_buffers(c, rank) && !__builtin_mul_overflow(c.count, c.datatype.size, &c.bytes);
}

void forget_probe() {
  Comm comm = probe_comm.exchange(Comm::null);
  if (comm != Comm::null) comm_free(comm);
}

}  // namespace mpigraft::abi
