// SPDX-License-Identifier: MIT
#include "shim/execute/transport_state.hpp"

#include <algorithm>
#include <array>
#include <new>

#include "algorithms/catalogue.hpp"
#include "algorithms/patterns/nodes.hpp"
#include "algorithms/schedule/compile.hpp"
#include "shim/abi/arguments.hpp"
#include "shim/abi/binding.hpp"
#include "shim/abi/functions.hpp"
#include "shim/agree/price.hpp"
#include "shim/base/log.hpp"
#include "shim/memory/single_copy.hpp"
#include "shim/wait/backoff.hpp"

namespace mpigraft::execute {
namespace {

/// The message of the first rank of a node to its others.
struct Invitation {
  memory::Offer offer;
  memory::Sample sample;  // by which they find out whether they can read its memory
};

// Shared memory of this process's transport pools. Communicators that are set up later need some, too.
constexpr std::size_t most_pooled_bytes = memory::max_shared_bytes / 4;
std::size_t pooled_bytes = 0;

}  // namespace

/// The steps by which the ranks of each node lease a segment. A node of one rank, or of too many, has none.
struct TransportState::Lease {
  Lease(const agree::Negotiated& of, TransportState& transport)
      : agreed(of), state(transport), nodes(of.size, {.nodes = of.nodes}) {
    const int node = nodes.of(agreed.rank), first = nodes.first(node);
    ranks = {.first = first, .size = nodes.size(node), .index = agreed.rank - first};
    wanted = can_share(ranks.size) && !agreed.neighbours.empty();
  }
  static bool can_share(int size) { return size > 1 && size <= max_sharing_ranks; }
  /// True if no node shares; equal on all ranks.
  bool idle() const {
    for (int node = 0; node < nodes.count(); ++node)
      if (can_share(nodes.size(node))) return false;
    return true;
  }

  /// Sends the invitation of each node's first rank to all ranks. Collective.
  void invite() {
    if (wanted && ranks.index == 0)
      invitation = {memory::Pool::offer(agreed.neighbours, pool), memory::sample_of_this_process()};
    if (nodes.count() == 1) {
      abi::bcast(&invitation, sizeof invitation, abi::type_byte, 0, agreed.comm);
      return;
    }
    const std::unique_ptr<Invitation[]> all(new (std::nothrow) Invitation[static_cast<std::size_t>(agreed.size)]);
    has_memory = abi::true_on_all(all != nullptr, agreed.comm);
    if (!has_memory) return;
    abi::allgather(&invitation, all.get(), sizeof invitation, agreed.comm);
    invitation = all[static_cast<std::size_t>(ranks.first)];
  }

  /// Prepares this rank's part of the segment and its end of the messages. Returns false if that fails.
  bool accept() {
    if (!wanted) return true;
    if (ranks.index != 0 && has_memory) pool = memory::Pool::accept(invitation.offer, agreed.neighbours);
    if (!pool || !has_memory || !pool->prepare(invitation.offer, ranks.size, ranks.index)) return false;
    const memory::Segment segment(pool->segment(invitation.offer.part), ranks.size, invitation.offer.calls_before);
    return base::ignore_bad_alloc([&] { state.channel.emplace(ranks, segment); });
  }

  /// `all`: every rank of the communicator has accepted.
  void settle(bool all, const memory::NodeFacts& facts) {
    if (wanted) pool = memory::Pool::settle(pool, invitation.offer, all, ranks.index == 0);
    if (!wanted || !all) return state.channel.reset();
    state.pool_ = pool, state.part_ = invitation.offer.part;
    state.channel->learn(facts);
    if (nodes.count() == 1 && memory::broadcast_buffers_of(agreed.size) > 0)
      state.pages.emplace(state.channel->segment(), ranks);
  }

  const agree::Negotiated& agreed;
  TransportState& state;
  const Nodes nodes;
  memory::NodeRanks ranks{};
  bool wanted = false, has_memory = true;
  Invitation invitation{};
  memory::Pool* pool = nullptr;
};

TransportState::~TransportState() {
  if (pool_) pool_->give_back(part_, channel->segment().number_of(sequence), !in_call);
  if (comm == abi::Comm::null) return;
  abi::comm_free(comm);
  --private_communicators;
}

/// Besides, finds out whether nonblocking calls can be carried on: on every rank MPI must poll for messages through us,
/// and one thread must make all calls.
bool TransportState::ensure(const agree::Negotiated& agreed) {
  if (made || impossible != agree::FallbackReason::none) return made;
  const agree::TimedSetUp timed;
  firsts.reset(new (std::nothrow) std::int64_t[static_cast<std::size_t>(agreed.size) + 1]);
  std::optional<Lease> lease;
  if (agreed.shared && !agreed.nodes.empty()) lease.emplace(agreed, *this);
  if (lease && lease->idle()) lease.reset();
  if (lease) lease->invite();
  const bool accepted = lease && lease->accept();
  const bool single_copy = accepted && (!lease->wanted || memory::can_read(lease->invitation.sample));
  const int carries = wait::seen_polls && abi::has_one_caller() && abi::can_make_requests();
  const auto [stands, goes_on, share, calm, single_copy_for_all, holds] =
      abi::least<6>({firsts && abi::own_comm() != abi::Comm::null, carries, accepted, !wait::oversubscribed(),
                     single_copy, abi::comes_first("MPI_Op_free")},
                    agreed.comm);
  if (lease)
    lease->settle(stands != 0 && share != 0, {.oversubscribed = calm == 0, .single_copy = single_copy_for_all != 0});
  carries_on = stands != 0 && goes_on != 0;
  holds_operators = holds != 0;
  made = stands != 0;
  if (!made) impossible = agree::FallbackReason::memory;
  return made;
}

TransportState::Outcome TransportState::ensure_comm(const agree::Negotiated& agreed) {
  if (comm != abi::Comm::null) return Outcome::made;
  if (impossible != agree::FallbackReason::none) return Outcome::never;
  const agree::TimedSetUp timed;
  const bool has_barrier = base::ignore_bad_alloc([&] {
    static const AlgorithmInfo& info = info_of(find_algorithm("barrier/dissemination"));
    schedule::Compiler().compile(info, agreed.size, agreed.rank, 0, false, {}, barrier);
  });
  const auto [can_make, minus_taken, has_memory] =
      abi::least<3>({!abi::called_from_mpi(), -private_communicators, has_barrier}, agreed.comm);
  if (!can_make) return Outcome::later;
  if (!has_memory) {
    impossible = agree::FallbackReason::memory;
  } else if (-minus_taken >= agree::max_private_communicators) {
    impossible = agree::FallbackReason::many;
  } else {
    ++private_communicators;
    comm = abi::comm_copy(agreed.comm, agreed.name.data());
    if (abi::true_on_all(comm != abi::Comm::null, agreed.comm)) return Outcome::made;
    --private_communicators;
    if (comm != abi::Comm::null) abi::comm_free(comm);
    impossible = agree::FallbackReason::context;
  }
  if (agreed.rank == 0) agree::tell_reason(impossible);
  return Outcome::never;
}

TransportPool::~TransportPool() {
  for (const auto& member : members_)
    if (member) pooled_bytes -= member->bytes;
}

/// Takes one of those from `begin` to before `end`.
TransportState* TransportPool::take_of(std::size_t begin, std::size_t end, const agree::Negotiated& agreed,
                                       const TransportState& main, bool ready, bool needs_comm) {
  std::unique_ptr<Member> fresh(new (std::nothrow) Member);
  const std::size_t bytes = main.channel ? memory::segment_bytes(static_cast<int>(agreed.neighbours.size())) : 0;
  const bool has_room = pooled_bytes + bytes <= most_pooled_bytes &&
                        (!needs_comm || TransportState::private_communicators < agree::max_private_communicators / 2);
  std::array<int, most + 1> votes{};  // for each member, and last for taking one
  for (std::size_t i = begin; i < end; ++i)
    votes[i] = members_[i] ? members_[i]->is_usable && !members_[i]->taken : has_room;
  votes[most] = ready && fresh;
  const auto all = abi::least(votes, agreed.comm);
  const auto free = static_cast<std::size_t>(std::find(all.begin(), all.begin() + most, 1) - all.begin());
  if (!all[most] || free == most) return nullptr;
  if (!members_[free]) {
    members_[free] = std::move(fresh);
    pooled_bytes += members_[free]->bytes = bytes;
  }
  Member& member = *members_[free];
  member.is_usable = make_usable(member, agreed, main, needs_comm);
  member.taken = member.is_usable;
  return member.is_usable ? &member.state : nullptr;
}

void TransportPool::take_turns(const agree::Negotiated& agreed, const TransportState& main) {
  while (turns_ < most_turns) {
    TransportState* const state = take_of(most_persistent, most, agreed, main, true, true);
    if (!state) return;
    in_turns_[turns_++] = state;
  }
}

/// Its plans are those of the communicator, so it must have the same memory.
bool TransportPool::make_usable(Member& member, const agree::Negotiated& agreed, const TransportState& main,
                                bool needs_comm) {
  TransportState& state = member.state;
  if (!state.made) {
    const bool made = state.ensure(agreed);
    const bool is_alike = made && state.channel.has_value() == main.channel.has_value();
    if (!abi::true_on_all(is_alike, agreed.comm)) return false;
  }
  return !needs_comm || state.ensure_comm(agreed) == TransportState::Outcome::made;
}

/// An execution that failed may have left messages.
void TransportPool::give_back(const TransportState& state) {
  for (const auto& member : members_)
    if (member && &member->state == &state) member->taken = state.in_call;
}

}  // namespace mpigraft::execute
