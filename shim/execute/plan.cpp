// SPDX-License-Identifier: MIT
#include "shim/execute/plan.hpp"

#include <algorithm>

#include "algorithms/catalogue.hpp"
#include "algorithms/patterns/nodes.hpp"
#include "config/table/selection.hpp"
#include "shim/execute/gathering.hpp"
#include "shim/execute/pmpi_transport.hpp"

namespace mpigraft::execute {
namespace {

// MPI's messages and MPI_Reduce_local count in int, so longer vectors are done in pieces. Pieces can run one after the
// other, because scans and reductions are element-wise and a broadcast is a stream of bytes.
constexpr std::int64_t max_piece_bytes = std::int64_t{1} << 30;
static_assert(table::longest_in_parts <= max_piece_bytes);

// Segment size in bytes of pipelines inside a node: small enough to stay in cache until combined.
constexpr std::int64_t segment_in_caches = 64 << 10;

}  // namespace

// `stays_in_memory` relies on it that no message is longer than the vector.
Plan::Plan(const agree::Negotiated& agreed, TransportState& transport, const abi::Call& call,
           const table::Choice& choice)
    : algorithm(static_cast<std::size_t>(choice.algorithm)),
      stream(!call.info().combines()),
      gathers(call.in_parts() && stream),
      type(stream ? abi::byte_stream() : call.datatype),
      elements(stream ? call.bytes : call.elements),
      piece(call.bytes <= max_piece_bytes ? elements : std::max<std::int64_t>(1, max_piece_bytes / type.size)),
      kept_scratch(static_cast<std::size_t>(agreed.table->table.scratch / agreed.ranks_per_node.max)),
      params(table::params_of(choice, agreed.table->table.machine)) {
  stays_in_memory = transport.channel && agreed.nodes.size() == 1 && transport.channel->carries(call.bytes) &&
                    type.size <= memory::Channel::max_element_bytes;
  if (listed[algorithm].info->k_ported) ports = params.ports;
  if (transport.channel && agreed.node_count == 1) params.largest_block = segment_in_caches;
  params.nodes = groups_of(listed[algorithm].info->placement, agreed.nodes, agreed.cache_groups);
  params.root = call.root;
  params.element_bytes = type.size;
  has_text = listed[algorithm].info->text != nullptr;
  if (has_text)
    schedules = transport.schedules.get({choice.algorithm, elements, piece, params}, agreed.size, agreed.rank);
  else if (!call.in_parts())
    find_scratch(agreed.size);
}

Plan Plan::for_parts_of(const agree::Negotiated& agreed, const TransportState& transport, const abi::Call& call) const {
  Plan plan = *this;
  if (!call.in_parts()) return plan;
  plan.params.parts = parts_of(call, agreed.size, stream ? call.datatype.size : 1, transport.firsts.get());
  plan.find_scratch(agreed.size);
  return plan;
}

void Plan::find_scratch(int ranks) {
  scratch_bytes = bytes_for_scratch(type, elements, listed[algorithm].info->scratch(ranks, piece, params));
}

}  // namespace mpigraft::execute
