// SPDX-License-Identifier: MIT
#include "shim/operation/operation.hpp"

#include <algorithm>

#include "algorithms/patterns/meeting.hpp"
#include "shim/abi/packed.hpp"
#include "shim/operation/registry.hpp"

namespace mpigraft::operation {
namespace {

// MPI counts in int, and so does Reduce_local: longer vectors are done in pieces, which is only a loop because
// scans and reductions are element-wise and a broadcast is a stream of bytes.
constexpr std::int64_t max_piece_bytes = std::int64_t{1} << 30;

// A block of a pipeline inside a node, in bytes: what one rank writes another reads and combines before it leaves their
// caches.
constexpr std::int64_t block_in_caches = 64 << 10;

// A root or a first rank only sends, and could run ahead of slow receivers without end, filling their memory with
// unexpected messages: so often all ranks meet. Memory that they share has only so many slots.
constexpr std::uint64_t calls_between_meetings = 64;

/// Whether MPI carries nothing of a call: no message is longer than the vector. Equal on all ranks.
bool stays_in_memory(const Traffic& traffic, const abi::Call& call, const abi::Datatype& type) {
  return traffic.pages && call.bytes <= memory::Channel::max_message_bytes &&
         type.size <= memory::Channel::max_element_bytes;
}

Params params_of(const agree::Agreement& agreed, const Traffic& traffic, const abi::Call& call,
                 const abi::Datatype& type, const table::Choice& choice) {
  Params params = params_of(choice, agreed.table->table.machine);
  if (traffic.channel && agreed.node_count == 1) params.largest_block = block_in_caches;
  params.nodes = agreed.nodes;
  params.root = call.root;
  params.element_bytes = type.size;
  return params;
}

}  // namespace

Operation::Operation(const agree::Agreement& agreed, Traffic& traffic, const abi::Call& call,
                     const table::Choice& choice)
    : agreed_(agreed),
      traffic_(traffic),
      call_(call),
      stream_(!call.info().combines()),
      staged_(stream_ && !call.datatype.contiguous),
      type_(stream_ ? abi::byte_stream() : call.datatype),
      elements_(stream_ ? call.bytes : call.count),
      piece_(call.bytes <= max_piece_bytes ? elements_ : std::max<std::int64_t>(1, max_piece_bytes / type_.size)),
      algorithm_(static_cast<std::size_t>(choice.algorithm)),
      params_(params_of(agreed, traffic, call, type_, choice)),
      net_(agreed, traffic, type_, call, elements_, listed[algorithm_].info->k_ported ? params_.ports : 1),
      scratch_bytes_(net_.scratch_bytes(listed[algorithm_].info->scratch(agreed.size, piece_, params_))),
      memory_(
          traffic.scratch.lease(scratch_bytes_ + static_cast<std::size_t>(staged_          ? call.bytes
                                                                          : copies_input() ? type_.span(piece_)
                                                                                           : 0),
                                static_cast<std::size_t>(agreed.table->table.scratch / agreed.ranks_per_node.max))) {
  place();
}

int Operation::run() {
  // before the algorithm, which a user operator may leave by an exception: the ranks stay in step
  const std::uint64_t before = traffic_.sent_ahead;
  traffic_.sequence += pieces();
  if (!stays_in_memory(traffic_, call_, type_)) traffic_.sent_ahead += pieces();
  const bool meets = before / calls_between_meetings != traffic_.sent_ahead / calls_between_meetings;
  if (staged_ && agreed_.rank == call_.root) pack();
  std::int64_t first = 0;
  do run(first, std::min(piece_, elements_ - first));  // once, too, where there is no data
  while ((first += piece_) < elements_);
  if (staged_ && agreed_.rank != call_.root && net_.error() == abi::success) unpack();
  if (meets) meet(net_, Block{PmpiTransport::result});
  return net_.error();
}

bool Operation::copies_input() const {
  return call_.info().in_place == InPlace::in_copy && call_.send == abi::in_place;
}

std::uint64_t Operation::pieces() const {
  return piece_ == elements_ ? 1 : static_cast<std::uint64_t>((elements_ + piece_ - 1) / piece_);
}

/// Behind the scratch lies a copy of what the algorithm must not overwrite, or the packed bytes of a stream.
void Operation::place() {
  char* const memory = memory_.memory();
  net_.place_scratch(memory);
  char* second = memory ? memory + scratch_bytes_ : nullptr;
  net_.place(PmpiTransport::result, call_.recv);
  if (stream_)
    net_.place(PmpiTransport::input, staged_ ? staging_ = second : call_.recv);
  else if (copies_input())
    net_.place(PmpiTransport::input, second ? second + type_.offset_of_first(piece_) : nullptr);
  else
    net_.place(PmpiTransport::input, call_.send == abi::in_place ? call_.recv : const_cast<void*>(call_.send));
}

void Operation::run(std::int64_t first, std::int64_t count) {
  const Block result{PmpiTransport::result, first, count};
  const Block input{PmpiTransport::input, copies_input() ? 0 : first, count};
  net_.begin_piece();
  if (copies_input()) net_.copy(result, input);
  run_functions[algorithm_](net_, {input, stream_ ? input : result, params_.parts}, params_);
}

void Operation::pack() {
  if (net_.error() != abi::success) return;
  net_.fail(
      abi::pack(traffic_.shifted_types, call_.recv, call_.count, call_.type, staging_, call_.bytes, traffic_.comm));
}

void Operation::unpack() {
  net_.fail(
      abi::unpack(traffic_.shifted_types, staging_, call_.bytes, call_.recv, call_.count, call_.type, traffic_.comm));
}

}  // namespace mpigraft::operation
