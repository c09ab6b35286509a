// SPDX-License-Identifier: MIT
#include "shim/execute/transport_pool.hpp"

#include <algorithm>
#include <new>

#include "shim/abi/functions.hpp"

namespace mpigraft::execute {
namespace {

// Of this process. Communicators that are set up later need shared memory, too, and context ids.
constexpr std::size_t most_bytes = memory::max_shared_bytes / 4;
std::size_t bytes_in_use = 0;

std::size_t bytes_of(const agree::Negotiated& agreed, const TransportState& main) {
  return main.channel ? memory::segment_bytes(static_cast<int>(agreed.neighbours.size())) : 0;
}

}  // namespace

TransportPool::~TransportPool() {
  for (const auto& member : members_)
    if (member) bytes_in_use -= member->bytes;
}

/// Takes one of those from `begin` to before `end`.
TransportState* TransportPool::take_of(std::size_t begin, std::size_t end, const agree::Negotiated& agreed,
                                       const TransportState& main, bool ready, bool needs_comm) {
  std::unique_ptr<Member> fresh(new (std::nothrow) Member);
  const std::size_t bytes = bytes_of(agreed, main);
  const bool has_room = bytes_in_use + bytes <= most_bytes &&
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
    bytes_in_use += members_[free]->bytes = bytes;
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
