// SPDX-License-Identifier: MIT
#include "shim/operation/traffic.hpp"

#include "algorithms/patterns/nodes.hpp"
#include "shim/abi/pmpi.hpp"

namespace mpigraft {

Traffic::Traffic(const Agreement& agreed) {
  if (agreed.refusal == Refusal::none) claim_.take();
}

Traffic::~Traffic() {
  if (comm != MPI_COMM_NULL) pmpi.Comm_free(&comm);
}

bool Traffic::ensure(const Agreement& agreed) {
  if (comm != MPI_COMM_NULL || impossible) return !impossible;
  // Not MPI_Comm_dup, which runs the program's attribute callbacks, nor MPI_Comm_create, which aborts when
  // context ids are used up: this returns MPI_COMM_NULL then.
  MPI_Group group = MPI_GROUP_NULL;
  pmpi.Comm_group(agreed.comm, &group);
  pmpi.Comm_create_from_group(group, agreed.name.data(), MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
  pmpi.Group_free(&group);
  int mine = comm != MPI_COMM_NULL, all = 0;
  pmpi.Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, agreed.comm);
  if (all) {
    open_channel(agreed);
    return true;
  }
  impossible = true;
  claim_.release();
  if (agreed.rank == 0) tell_refusal(Refusal::context);
  return false;
}

/// The channel of a node whose ranks can all have it; else messages go on through MPI.
void Traffic::open_channel(const Agreement& agreed) {
  if (!agreed.shares || agreed.nodes.empty()) return;
  const Nodes nodes(agreed.size, {.nodes = agreed.nodes});
  const int i = nodes.of(agreed.rank), first = nodes.first(i);
  if (nodes.size(i) == 1 || nodes.size(i) > max_sharing_ranks) return;
  const NodeRanks node{.comm = comm, .first = first, .size = nodes.size(i), .own = agreed.rank - first};
  channel.emplace(node, shifted_types);
  if (!channel->usable()) return channel.reset();
  if (nodes.count() == 1) pages.emplace(channel->segment(), node, shifted_types);
}

}  // namespace mpigraft
