// SPDX-License-Identifier: MIT
// The functions of mpigraft.h.
#include <algorithm>
#include <limits>
#include <new>
#include <string>
#include <vector>

#include "algorithms/composition.hpp"
#include "shim/abi/binding.hpp"
#include "shim/abi/functions.hpp"
#include "shim/abi/predefined.hpp"
#include "shim/base/log.hpp"
#include "shim/base/own_objects.hpp"
#include "shim/compose/pairs.hpp"
#include "shim/entry/communicator.hpp"
#include "shim/entry/intercept.hpp"
#include "shim/execute/decision.hpp"
#include "shim/execute/scratch.hpp"
#include "shim/execute/staging.hpp"

namespace mpigraft::compose {
namespace {

using execute::Scratch;

/// MPIGRAFT_DISTRIBUTES of mpigraft.h.
constexpr int distributes_flag = 1;

constexpr std::int64_t longest_call = std::numeric_limits<int>::max();

/// Memory for one call. Throws std::bad_alloc. Calls of one thread reuse it.
class Memory {
 public:
  explicit Memory(std::int64_t bytes) : lease_(of_this_thread().lease(static_cast<std::size_t>(bytes), most_kept)) {
    if (!lease_.memory()) throw std::bad_alloc();
  }
  char* get() const { return lease_.memory(); }

 private:
  static constexpr std::size_t most_kept = 16 << 20;
  static Scratch& of_this_thread() {
    Scratch* const mine = base::of_thread<Scratch>();
    if (!mine) throw std::bad_alloc();
    return *mine;
  }
  const Scratch::Lease lease_;
};

class Call {
 public:
  /// `raw` is the scan as the program passed it, and the root of the call on its result; `plus` is that one's operator.
  Call(Composition composition, const abi::RawCall& raw, abi::Word plus, int flags, const void* caller)
      : raw_(raw),
        flags_(flags),
        composition_(composition),
        info_(info_of(composition)),
        caller_(caller),
        comm_(abi::passed<abi::Comm>(raw.comm)),
        times_(raw_call(info_.second, raw.raw_op)),
        plus_(raw_call(info_.second, plus)) {}

  int run() {
    if (!has_ranks()) return call(raw_call(Collective::scan, raw_.raw_op));
    if (!abi::inspect(times_, rank_, size_)) return refused_with(raw_.raw_op);
    if (!abi::inspect(plus_, rank_, size_)) return refused_with(plus_.raw_op);
    switch (variant()) {
      case Variant::fused:
        return on_host_memory(&Call::fused);
      case Variant::decomposed:
        return on_host_memory(&Call::decomposed);
      case Variant::apart:
        break;
    }
    return apart();
  }

 private:
  bool has_ranks();
  int refused_with(abi::Word op) const;
  bool can_pair() const;
  Variant variant();
  int on_host_memory(int (Call::*by_pairs)());
  int apart();
  int fused();
  int decomposed();

  bool is_at_root() const { return !info_of(info_.second).rooted() || rank_ == raw_.root; }
  abi::RawCall raw_call(Collective collective, abi::Word op) const {
    abi::RawCall raw = raw_;
    raw.collective = collective, raw.raw_op = op;
    if (!info_of(collective).rooted()) raw.root = 0;
    return raw;
  }
  const void* input() const { return raw_.send == abi::in_place ? raw_.recv : raw_.send; }
  int call(abi::RawCall raw) const { return entry::intercepted(raw, caller_); }

  abi::RawCall raw_;
  const int flags_;
  const Composition composition_;
  const CompositionInfo& info_;
  const void* caller_;
  const abi::Comm comm_;
  entry::Communicator* communicator_ = nullptr;  // its state, by variant()
  int rank_ = 0, size_ = 1;
  abi::Call times_, plus_;  // the second call, with each of the operators
};

/// Finds rank and size. Returns false if the communicator is none on which MPI accepts a scan.
bool Call::has_ranks() {
  if (!entry::attribute_of(comm_).readable || abi::comm_is_inter(comm_)) return false;
  rank_ = abi::comm_rank(comm_), size_ = abi::comm_size(comm_);
  return true;
}

/// Makes the second call with `op`, whose arguments inspect() rejected: MPI reports the error before the first message.
int Call::refused_with(abi::Word op) const {
  const int error = call(raw_call(info_.second, op));
  return error == abi::success ? abi::err_other : error;
}

/// True if pairs of these elements can be made, and give the results of the two calls.
bool Call::can_pair() const {
  const abi::Datatype& type = times_.datatype;
  const bool side_by_side = type.size == type.extent && type.true_lb == 0 && type.true_extent == type.extent;
  if (!side_by_side || type.size == 0 || type.size > longest_half) return false;
  if (size_ == 1 || times_.elements == 0 || 2 * times_.elements > longest_call) return false;
  return (flags_ & distributes_flag) != 0 || abi::distributes(abi::operator_of(times_.op), abi::operator_of(plus_.op));
}

/// Chooses the variant. Until the communicator's ranks have agreed, they make the two calls.
Variant Call::variant() {
  communicator_ = entry::attribute_for_call(times_).communicator;
  if (!can_pair() || !communicator_) return Variant::apart;
  const agree::Negotiated& agreed = communicator_->agreed;
  const bool stays_native = agreed.fallback != agree::FallbackReason::none || !agreed.table;
  if (stays_native || (agreed.float_native && abi::is_floating(times_.type))) return Variant::apart;
  return execute::variant_for(agreed, composition_, times_.bytes).variant;
}

/// Makes a call by pairs, which reads and writes the buffers with the CPU; those in a GPU's memory as copies.
int Call::on_host_memory(int (Call::*by_pairs)()) {
  int raised = abi::success;
  const auto make = [&](const abi::Call& on_host) {
    if (on_host.lost != abi::success) return on_host.lost;
    raw_.send = on_host.send, raw_.recv = on_host.recv;
    return raised = (this->*by_pairs)();
  };
  const int error = execute::on_host_memory(communicator_->agreed, communicator_->transport, times_, make);
  if (error != raised) abi::comm_call_errhandler(comm_, error);
  return error;
}

/// Makes the two calls. They are not in place, because MPICH 4.0.2 crashes in a reduction in place with a derived type
/// and an operator of the program.
int Call::apart() {
  const abi::Datatype& type = times_.datatype;
  const Memory memory(type.span(raw_.count));
  abi::RawCall scan = raw_call(Collective::scan, raw_.raw_op);
  scan.send = input();
  scan.recv = type.element_0(memory.get(), raw_.count);
  if (const int error = call(scan); error != abi::success) return error;
  abi::RawCall second = raw_call(info_.second, plus_.raw_op);
  second.send = scan.recv;
  return call(second);
}

/// red(+) . scan(x) = pi_1 . red(<+,x>) . map pair, and likewise with scan(+) (Gorlatch, Lengauer 1997, Theorems 1 and
/// 2).
int Call::fused() {
  const Blocks blocks(raw_.count, times_.datatype.size);
  const Memory memory(blocks.count() * blocks.bytes());
  const PairType type({times_, plus_}, blocks);
  pair(static_cast<const char*>(input()), memory.get(), blocks);
  abi::RawCall of_pairs = raw_call(info_.second, abi::to_pass(type.op()));
  of_pairs.count = blocks.count();
  of_pairs.raw_type = abi::to_pass(type.handle());
  of_pairs.send = is_at_root() ? abi::in_place : memory.get();
  of_pairs.recv = is_at_root() ? memory.get() : nullptr;
  const int error = call(of_pairs);
  if (error == abi::success && is_at_root())
    project(memory.get(), static_cast<char*>(raw_.recv), blocks, 0, blocks.count());
  return error;
}

/// redd-seg(+) . scan-seg(x) = allgather . map pi_1 . redd-parts(<+,x>) . map pair (Gorlatch, Lengauer 1997, eq. 30).
int Call::decomposed() {
  const Blocks blocks(raw_.count, times_.datatype.size, fewest_blocks * size_);
  const Parts parts = even_parts(blocks.count(), size_);
  const auto first_element = [&](int r) { return std::min(parts.first(r) * blocks.length, raw_.count); };
  std::vector<int> counts, elements, places;
  for (int r = 0; r < size_; ++r) {
    counts.push_back(static_cast<int>(parts.count(r)));
    places.push_back(static_cast<int>(first_element(r)));
    elements.push_back(static_cast<int>(first_element(r + 1) - first_element(r)));
  }
  const std::int64_t first = parts.first(rank_), own_count = parts.count(rank_);
  const Memory memory((blocks.count() + own_count) * blocks.bytes());
  const PairType type({times_, plus_}, blocks);
  pair(static_cast<const char*>(input()), memory.get(), blocks);
  char* const own_pairs = memory.get() + blocks.count() * blocks.bytes();
  abi::RawCall scatter = raw_call(Collective::reduce_scatter, abi::to_pass(type.op()));
  scatter.send = memory.get(), scatter.recv = own_pairs, scatter.count = 0;
  scatter.raw_type = abi::to_pass(type.handle()), scatter.counts = counts.data();
  if (const int error = call(scatter); error != abi::success) return error;
  project(own_pairs, static_cast<char*>(raw_.recv) + first_element(rank_) * blocks.size, blocks, first, own_count);
  abi::RawCall gather = raw_call(Collective::allgather, 0);
  gather.send = abi::in_place, gather.count = 0, gather.raw_send_type = raw_.raw_type;
  gather.counts = elements.data(), gather.displs = places.data();
  return call(gather);
}

/// Makes the call. `caller` is its return address. Returns MPI's error code, which is raised already; MPI_ERR_OTHER
/// under an MPI that mpigraft does not know.
int composed(Composition composition, const abi::RawCall& raw, abi::Word plus, int flags, const void* caller) {
  if (!abi::graftable(caller)) {
    base::log_once(std::string(abi::reason_against(caller).text) + ": functions of mpigraft.h return MPI_ERR_OTHER");
    return abi::err_other;
  }
  try {
    return Call(composition, raw, plus, flags, caller).run();
  } catch (const std::bad_alloc&) {
    abi::comm_call_errhandler(abi::passed<abi::Comm>(raw.comm), abi::err_no_mem);
    return abi::err_no_mem;
  }
}

}  // namespace

// The functions, one for each row of the table of compositions.
#define TAKES \
  const void *send, void *recv, std::int64_t count, abi::Word type, abi::Word times, abi::Word plus, int flags
#define COMPOSED(name, its_root)                                                                                   \
  return composed(Composition::name,                                                                               \
                  {Collective::scan, count > longest_call, false, send, recv, count, type, times, its_root, comm}, \
                  plus, flags, __builtin_return_address(0))
#define FUNCTION extern "C" __attribute__((visibility("default"))) int

#define AT_ROOT_reduce(name, function) \
  FUNCTION function(TAKES, int root, abi::Word comm) { COMPOSED(name, root); }
#define ON_ALL(name, function) \
  FUNCTION function(TAKES, abi::Word comm) { COMPOSED(name, 0); }
#define AT_ROOT_allreduce ON_ALL
#define AT_ROOT_scan ON_ALL

#define X(name, function, second) AT_ROOT_##second(name, MPIGRAFT_##function)
MPIGRAFT_COMPOSITIONS(X)
#undef X

}  // namespace mpigraft::compose
