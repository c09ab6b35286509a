// SPDX-License-Identifier: MIT
#include "shim/abi/arguments.hpp"

#include <array>
#include <atomic>
#include <cstdio>

#include "shim/abi/pmpi.hpp"

namespace mpigraft {
namespace {

/// A communicator of this rank alone, on which MPI itself judges handles: its errors come back as return codes,
/// where other calls would raise them on MPI_COMM_WORLD and end the program.
std::atomic<MPI_Comm> probe_comm{MPI_COMM_NULL};

MPI_Comm probe() {
  MPI_Comm comm = probe_comm.load();
  if (comm != MPI_COMM_NULL) return comm;
  static std::atomic<int> serial{0};
  char tag[32];
  std::snprintf(tag, sizeof tag, "mpigraft probe %d", serial.fetch_add(1));
  MPI_Group self = MPI_GROUP_NULL;
  pmpi.Comm_group(MPI_COMM_SELF, &self);
  MPI_Comm mine = MPI_COMM_NULL;
  pmpi.Comm_create_from_group(self, tag, MPI_INFO_NULL, MPI_ERRORS_RETURN, &mine);
  pmpi.Group_free(&self);
  if (mine == MPI_COMM_NULL) return mine;
  if (probe_comm.compare_exchange_strong(comm, mine)) return mine;
  pmpi.Comm_free(&mine);  // another thread was first
  return comm;
}

bool is_datatype(MPI_Datatype type) {
  const auto handle = static_cast<unsigned>(type);
  return type != MPI_DATATYPE_NULL && (handle >> 26 & 0xf) == 3 && handle >> 30 != 0;
}

bool is_operator(MPI_Op op) {
  const auto handle = static_cast<unsigned>(op);
  return op != MPI_OP_NULL && (handle >> 26 & 0xf) == 6 && handle >> 30 != 0;
}

enum class Answer { no, unasked, yes };

/// Asks MPI whether it takes the operator on the type; remembers the predefined pairs it took.
Answer accepts(MPI_Datatype type, MPI_Op op) {
  static std::array<std::atomic<std::uint64_t>, 64> accepted{};
  const bool predefined = is_builtin(type) && is_builtin(op);
  const auto pair = static_cast<std::uint64_t>(static_cast<unsigned>(type)) << 32 | static_cast<unsigned>(op);
  auto& slot = accepted[(pair * 0x9e3779b97f4a7c15ULL) >> 58];
  if (predefined && slot.load(std::memory_order_relaxed) == pair) return Answer::yes;
  const MPI_Comm judge = probe();
  char nothing = 0;
  if (judge == MPI_COMM_NULL) return Answer::unasked;  // out of context ids on this rank alone
  if (pmpi.Allreduce(MPI_IN_PLACE, &nothing, 0, type, op, judge) != MPI_SUCCESS) return Answer::no;
  if (predefined) slot.store(pair, std::memory_order_relaxed);
  return Answer::yes;
}

/// Whether MPI takes the type for communication: uncommitted ones it does not.
bool is_committed(MPI_Datatype type) {
  if (is_builtin(type)) return true;
  const MPI_Comm judge = probe();
  char nothing = 0;
  return judge == MPI_COMM_NULL || pmpi.Bcast(&nothing, 1, type, 0, judge) == MPI_SUCCESS;
}

/// Null is an address only where elements lie elsewhere (MPI_BOTTOM) or have no bytes.
bool is_buffer(const void* buffer, const Datatype& type) {
  return buffer != nullptr || (!is_builtin(type.handle) && (type.true_lb != 0 || type.size == 0));
}

}  // namespace

bool good_buffers(const Call& c, int rank) {
  if (c.count == 0) return true;
  const CollectiveInfo& info = c.info();
  if (info.in_place == InPlace::in_buffer) return is_buffer(c.recv, c.datatype) && c.recv != MPI_IN_PLACE;
  const bool in_place = c.send == MPI_IN_PLACE;
  if (info.result.holders == Holders::root_only && rank != c.root) return is_buffer(c.send, c.datatype) && !in_place;
  // also on the first rank of an exclusive scan, whose result is not written
  return is_buffer(c.recv, c.datatype) && c.recv != MPI_IN_PLACE &&
         (in_place || (is_buffer(c.send, c.datatype) && c.send != c.recv));
}

Call::Call(const RawCall& raw, const CallFacts& facts)
    : CallFacts(facts),
      collective(raw.collective),
      send(raw.send),
      recv(raw.recv),
      count(raw.count),
      type(static_cast<MPI_Datatype>(raw.type)),
      op(static_cast<MPI_Op>(raw.op)),
      root(raw.root) {}

bool inspect(Call& c, int rank, int size) {
  if (c.count < 0 || !is_datatype(c.type) || c.root < 0 || c.root >= size) return false;
  if (!c.info().combines()) {
    if (!is_committed(c.type)) return false;
  } else {
    const Answer answer = is_operator(c.op) ? accepts(c.type, c.op) : Answer::no;
    if (answer == Answer::no) return false;  // unasked: this rank's decision must not differ
    int commutative = 0;
    pmpi.Op_commutative(c.op, &commutative);
    c.commutative = commutative != 0;
    c.user_op = !is_builtin(c.op);
    if (answer == Answer::yes) c.kernel = kernels_for(c.op, c.type).fastest;
  }
  c.datatype = describe(c.type);
  return good_buffers(c, rank) && !__builtin_mul_overflow(c.count, c.datatype.size, &c.bytes);
}

void forget_probe() {
  MPI_Comm comm = probe_comm.exchange(MPI_COMM_NULL);
  if (comm != MPI_COMM_NULL) pmpi.Comm_free(&comm);
}

}  // namespace mpigraft
