// SPDX-License-Identifier: MIT
#include "shim/execute/plan.hpp"

#include <algorithm>

#include "algorithms/catalogue.hpp"
#include "algorithms/patterns/nodes.hpp"
#include "algorithms/patterns/pages.hpp"
#include "config/table/selection.hpp"
#include "shim/execute/gathering.hpp"

namespace mpigraft::execute {
namespace {

// MPI's messages and MPI_Reduce_local count in int, so longer vectors are done in pieces. Pieces can run one after the
// other, because scans and reductions are element-wise and a broadcast is a stream of bytes.
constexpr std::int64_t max_piece_bytes = std::int64_t{1} << 30;
static_assert(table::longest_in_parts <= max_piece_bytes);

// Longer vectors go through pages in pieces, each of so many pages that a rank reads: a schedule has a step for each.
// Each piece costs some us, because ranks begin it together.
constexpr std::int64_t most_pages_read = 4096;

}  // namespace

// `stays_in_memory` relies on it that no message is longer than the vector.
Plan::Plan(const agree::Negotiated& agreed, TransportState& transport, const abi::Call& call, const Decision& made)
    : decision(made),
      stream(!call.info().combines()),
      in_parts(call.in_parts()),
      by_counts(in_parts && !call.equal),
      gathers(in_parts && stream),
      type(stream ? abi::byte_stream() : call.datatype),
      elements(stream ? call.bytes : call.elements),
      piece(call.bytes <= max_piece_bytes ? elements : std::max<std::int64_t>(1, max_piece_bytes / type.size)),
      kept_scratch(static_cast<std::size_t>(agreed.table->table.scratch / agreed.ranks_per_node.max)),
      params(table::params_of(made.choice, agreed.table->table.machine)) {
  const AlgorithmInfo& info = info_of(made.choice.algorithm);
  stays_in_memory = transport.channel && agreed.nodes.size() == 1 && transport.channel->carries(call.bytes) &&
                    type.size <= memory::Channel::max_element_bytes;
  if (info.k_ported) ports = params.ports;
  if (transport.channel && agreed.node_count == 1) params.largest_block = table::segment_in_caches;
  params.nodes = groups_of(info.placement, agreed.nodes, agreed.cache_groups);
  params.root = call.root;
  params.element_bytes = type.size;
  if (info.placement == Placement::one && !in_parts)
    piece = std::min(piece, most_pages_read / agreed.size * in_pages(piece, params).count(0));
  if (!by_counts) find_schedules(agreed, transport, call);
}

table::Range Plan::lengths(const TransportState& transport) const {
  const std::int64_t bytes = elements * type.size;
  if (unit == 1) return {bytes, bytes};
  const AlgorithmInfo& info = info_of(decision.choice.algorithm);
  table::Range lengths{1, info.placement == Placement::one ? page_bytes : table::longest_in_parts};
  constexpr std::int64_t copied = memory::Channel::max_copied_bytes;  // up to here, or not, messages stay in memory
  if (!transport.channel) return lengths;
  bytes <= copied ? lengths.max = std::min(lengths.max, copied) : lengths.min = copied + 1;
  return lengths;
}

Plan Plan::for_parts_of(const agree::Negotiated& agreed, TransportState& transport, const abi::Call& call) const {
  Plan plan = *this;
  if (by_counts) plan.find_schedules(agreed, transport, call);
  return plan;
}

void Plan::find_schedules(const agree::Negotiated& agreed, TransportState& transport, const abi::Call& call) {
  params.parts = parts_of(call, agreed.size, stream ? call.datatype.size : 1, transport.firsts.get());
  ScheduleKey key{decision.choice.algorithm, elements, piece, params};
  if (!by_counts && scales()) {
    unit = undivided();
    key.elements /= unit, key.piece = key.elements, key.params.parts.each /= unit;
  }
  schedules = transport.schedules.get(key, agreed.size, agreed.rank);
}

/// True if a schedule for vectors of one element, or parts of one, will do.
bool Plan::scales() const {
  const AlgorithmInfo& info = info_of(decision.choice.algorithm);
  const bool is_a_page =
      info.placement != Placement::one || (params.segment == 0 && elements * type.size <= page_bytes);
  return info.scales && piece == elements && elements > 0 && is_a_page;
}

}  // namespace mpigraft::execute
