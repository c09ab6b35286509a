// SPDX-License-Identifier: MIT
#include "shim/operation/operation.hpp"

#include <algorithm>

#include "algorithms/catalogue.hpp"
#include "algorithms/patterns/meeting.hpp"
#include "config/table/selection.hpp"
#include "shim/abi/packed.hpp"
#include "shim/operation/gathering.hpp"
#include "shim/operation/registry.hpp"

namespace mpigraft::operation {
namespace {

// MPI counts in int, and so does Reduce_local: longer vectors are done in pieces, which is only a loop because
// scans and reductions are element-wise and a broadcast is a stream of bytes.
constexpr std::int64_t max_piece_bytes = std::int64_t{1} << 30;
static_assert(table::longest_in_parts <= max_piece_bytes);

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
  if (call.in_parts())
    params.parts = parts_of(call, agreed.size, call.info().combines() ? 1 : call.datatype.size, traffic.firsts.get());
  return params;
}

}  // namespace

Operation::Operation(const agree::Agreement& agreed, Traffic& traffic, const abi::Call& call,
                     const table::Choice& choice)
    : agreed_(agreed),
      traffic_(traffic),
      call_(call),
      stream_(!call.info().combines()),
      gathers_(call.in_parts() && stream_),
      type_(stream_ ? abi::byte_stream() : call.datatype),
      elements_(stream_ ? call.bytes : call.elements),
      piece_(call.bytes <= max_piece_bytes ? elements_ : std::max<std::int64_t>(1, max_piece_bytes / type_.size)),
      algorithm_(static_cast<std::size_t>(choice.algorithm)),
      params_(params_of(agreed, traffic, call, type_, choice)),
      staged_(gathers_ ? !find_vector() : stream_ && !call.datatype.contiguous),
      net_(agreed, traffic, type_, call, elements_, params_.parts,
           listed[algorithm_].info->k_ported ? params_.ports : 1),
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
  if ((staged_ || gathers_) && net_.error() == abi::success) pack();
  std::int64_t first = 0;
  do run(first, std::min(piece_, elements_ - first));  // once, too, where there is no data
  while ((first += piece_) < elements_);
  if (staged_ && net_.error() == abi::success) unpack();
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
  if (stream_) return place_stream(second);
  net_.place(PmpiTransport::result, call_.recv);
  if (copies_input())
    net_.place(PmpiTransport::input, second ? second + type_.offset_of_first(piece_) : nullptr);
  else
    net_.place(PmpiTransport::input, call_.send == abi::in_place ? call_.recv : const_cast<void*>(call_.send));
}

/// The input of a gather is a part of the vector, unless it is taken from where it lies.
void Operation::place_stream(char* staging) {
  vector_ = staged_ ? staging : static_cast<char*>(call_.recv) + offset_;
  net_.place(PmpiTransport::result, vector_);
  net_.place(PmpiTransport::input, !gathers_         ? vector_
                                   : sends_straight_ ? const_cast<void*>(call_.send)
                                   : vector_         ? vector_ + params_.parts.first(agreed_.rank)
                                                     : nullptr);
}

/// False: the parts have to be packed.
bool Operation::find_vector() {
  const auto offset = offset_of_vector(call_, params_.parts, agreed_.size);
  offset_ = offset.value_or(0);
  sends_straight_ = sends_its_part(call_, params_.parts.count(agreed_.rank));
  return offset.has_value();
}

void Operation::run(std::int64_t first, std::int64_t count) {
  const bool copies = copies_input();
  Operands operands{{PmpiTransport::input, copies ? 0 : first, count}, {PmpiTransport::result, first, count}};
  net_.begin_piece();
  if (copies) net_.copy(operands.result, operands.input);
  if (call_.in_parts())
    cut(operands);
  else if (stream_)
    operands.result = operands.input;
  run_functions[algorithm_](net_, operands, params_);
}

void Operation::cut(Operands& operands) const {
  const CollectiveInfo& info = call_.info();
  operands.input.count = info.input.count(agreed_.rank, elements_, params_.parts);
  operands.result.count = info.result.count(agreed_.rank, elements_, params_.parts);
  operands.parts = params_.parts;
}

/// A rank's input that is not in the vector comes there.
void Operation::pack() {
  if (gathers_) {
    const std::int64_t bytes = params_.parts.count(agreed_.rank);
    if (sends_straight_ || bytes == 0 || (!staged_ && !call_.sends_typed())) return;
    net_.fail(pack_input(call_, agreed_.rank, bytes, traffic_.shifted_types,
                         vector_ + params_.parts.first(agreed_.rank), traffic_.comm));
  } else if (staged_ && agreed_.rank == call_.root) {
    net_.fail(
        abi::pack(traffic_.shifted_types, call_.recv, call_.count, call_.type, vector_, call_.bytes, traffic_.comm));
  }
}

void Operation::unpack() {
  if (gathers_)
    net_.fail(unpack_vector(call_, params_.parts, agreed_.size, traffic_.shifted_types, vector_, traffic_.comm));
  else if (agreed_.rank != call_.root)
    net_.fail(
        abi::unpack(traffic_.shifted_types, vector_, call_.bytes, call_.recv, call_.count, call_.type, traffic_.comm));
}

}  // namespace mpigraft::operation
