// SPDX-License-Identifier: MIT
#include "shim/operation/traffic.hpp"

#include <array>
#include <new>

#include "algorithms/patterns/nodes.hpp"
#include "shim/abi/constants.hpp"
#include "shim/abi/functions.hpp"
#include "shim/wait/looks.hpp"

namespace mpigraft::operation {

Traffic::Traffic(const agree::Agreement& agreed) {
  if (agreed.refusal == agree::Refusal::none) claim_.take();
}

Traffic::~Traffic() {
  if (comm != abi::Comm::null) abi::comm_free(comm);
}

bool Traffic::ensure(const agree::Agreement& agreed) {
  if (comm != abi::Comm::null || impossible) return !impossible;
  comm = abi::comm_copy(agreed.comm, agreed.name.data());
  firsts.reset(new (std::nothrow) std::int64_t[static_cast<std::size_t>(agreed.size) + 1]);
  if (agree_that_it_stands(agreed)) {
    open_channel(agreed);
    return true;
  }
  impossible = true;
  claim_.release();
  if (agreed.rank == 0) agree::tell_refusal(agree::Refusal::context);
  return false;
}

/// Returns true if the private communicator and memory for parts exist on all ranks. Finds out whether nonblocking
/// calls can be carried on: on every rank MPI must look for messages through us, and one thread must make all calls.
bool Traffic::agree_that_it_stands(const agree::Agreement& agreed) {
  enum { stands, goes_on, words };
  const int carries = wait::seen_looks && abi::has_one_caller() && abi::can_make_requests();
  const std::array<int, words> mine{comm != abi::Comm::null && firsts, carries};
  std::array<int, words> all{};
  abi::allreduce(mine.data(), all.data(), words, abi::type_int, abi::op_min, agreed.comm);
  carries_on = all[stands] != 0 && all[goes_on] != 0;
  return all[stands] != 0;
}

/// Makes the channel if all ranks of this node can have it. Otherwise messages go through MPI.
void Traffic::open_channel(const agree::Agreement& agreed) {
  if (!agreed.shares || agreed.nodes.empty()) return;
  const Nodes nodes(agreed.size, {.nodes = agreed.nodes});
  const int i = nodes.of(agreed.rank), first = nodes.first(i);
  if (nodes.size(i) == 1 || nodes.size(i) > max_sharing_ranks) return;
  const memory::NodeRanks node{.comm = comm, .first = first, .size = nodes.size(i), .own = agreed.rank - first};
  channel.emplace(node, shifted_types);
  if (!channel->usable()) return channel.reset();
  if (nodes.count() == 1 && memory::boards_of(agreed.size) > 0) pages.emplace(channel->segment(), node, shifted_types);
}

}  // namespace mpigraft::operation
