// SPDX-License-Identifier: MIT
#include "shim/memory/channel.hpp"

#include <algorithm>
#include <cstring>

#include "shim/wait/backoff.hpp"
#include "shim/wait/requests.hpp"

namespace mpigraft::memory {
namespace {

constexpr std::uint32_t waits_between_progress = 64;

// Bytes of a single copy that are read at once before they are combined: few enough to stay in the cache until then.
constexpr std::int64_t part_in_cache = 256 << 10;

bool overlap(const char* a, const char* b, std::int64_t bytes) { return a < b + bytes && b < a + bytes; }

}  // namespace

Channel::Channel(const NodeRanks& node, const Segment& segment) : node_(node), segment_(segment) {
  to_.reserve(static_cast<std::size_t>(node.size));
  from_.reserve(static_cast<std::size_t>(node.size));
  for (int peer = 0; peer < node.size; ++peer) {
    to_.emplace_back(segment_.ring(node.index, peer));
    from_.emplace_back(segment_.ring(peer, node.index));
  }
}

void Channel::begin(std::uint64_t call, const abi::Datatype& type, int ports) {
  call_ = static_cast<std::uint32_t>(segment_.number_of(call));
  type_ = type;
  share_ = static_cast<std::uint32_t>(SharedBuffers::buffers / ports);
  for (; used_ > 0; --used_) messages_[static_cast<std::size_t>(used_ - 1)].state = State::none;
}

Channel::Ticket Channel::start(bool sends, const Message& message, int peer) {
  int ticket = 0;
  while (messages_.at(static_cast<std::size_t>(ticket)).state != State::none) ++ticket;
  used_ = std::max(used_, ticket + 1);
  Pending& pending = messages_[static_cast<std::size_t>(ticket)];
  pending = {
      .state = State::under_way, .sends = sends, .peer = peer - node_.first, .number = ++started_, .message = message};
  while (sends && pending.state == State::under_way && advance(pending)) {
  }
  ring_doorbells();
  return ticket;
}

Arrival Channel::wait(Ticket ticket, const FusedReduction& reduction) {
  Pending& pending = messages_[static_cast<std::size_t>(ticket)];
  combine_with(reduction, pending);
  if (++waits_ % waits_between_progress == 0) wait::drive_progress();
  if (pending.is_under_way()) {
    wait::Backoff backoff;
    while (pending.is_under_way()) {
      if (advance_all()) continue;
      ring_doorbells();
      if (segment_.oversubscribed() && backoff.at_end())
        sleep();
      else
        backoff.pause();
    }
    ring_doorbells();
  }
  pending.state = State::none;
  while (used_ > 0 && messages_[static_cast<std::size_t>(used_ - 1)].state == State::none) --used_;
  return pending.result;
}

bool Channel::is_over(Ticket ticket, const FusedReduction& reduction) {
  Pending& pending = messages_[static_cast<std::size_t>(ticket)];
  combine_with(reduction, pending);
  for (advance(); pending.is_under_way(); advance()) {
    if (!segment_.oversubscribed()) return false;
    SharedDoorbell& doorbell = segment_.doorbell_of(node_.index);
    const std::uint32_t whom = awaited();
    if (!may_sleep(doorbell, whom, any_position, [this] { return advance_all(); })) continue;
    wait::job_waits_for({&doorbell.sleeper, whom});
    return false;
  }
  return true;
}

void Channel::advance() {
  while (advance_all()) {
  }
  ring_doorbells();
}

bool Channel::wait_beside(abi::Request& request, abi::Status& status) {
  wait::Backoff backoff;
  bool over = false;
  while (!over && under_way()) {
    over = wait::poll(request, status);
    if (over || advance_all()) continue;
    ring_doorbells();
    backoff.pause();
  }
  ring_doorbells();
  return over;
}

bool Channel::under_way() const {
  return std::any_of(messages_.begin(), messages_.begin() + used_,
                     [](const Pending& pending) { return pending.is_under_way(); });
}

/// True if no older message to or from the same peer in the same direction is under way.
bool Channel::first_of_peer(const Pending& pending) const {
  return std::none_of(messages_.begin(), messages_.begin() + used_, [&](const Pending& other) {
    return other.is_under_way() && other.sends == pending.sends && other.peer == pending.peer &&
           static_cast<std::int32_t>(other.number - pending.number) < 0;
  });
}

/// Moves one fragment of every message that can move, so that long messages of both directions take turns. Returns true
/// if any moved.
bool Channel::advance_all() {
  bool moved = false;
  for (int i = 0; i < used_; ++i) {
    Pending& pending = messages_[static_cast<std::size_t>(i)];
    if (pending.is_under_way()) moved |= advance(pending);
  }
  return moved;
}

/// For the doorbell: whose fragment or free slot this rank waits for. REQUIRES: a message is under way.
std::uint32_t Channel::awaited() const {
  const Pending* const end = messages_.data() + used_;
  const auto under_way = [](const Pending& pending) { return pending.is_under_way(); };
  const Pending* const first = std::find_if(messages_.data(), end, under_way);
  const bool one = !first->sends && std::find_if(first + 1, end, under_way) == end;
  return one ? only(first->peer) : anyone;
}

/// Sleeps until a rank rings whose fragment or free slot this rank waits for.
void Channel::sleep() {
  sleep_unless(
      segment_.doorbell_of(node_.index), awaited(), any_position, [this] { return advance_all(); }, wait::sleep_on);
  ring_doorbells();
}

/// Rings the doorbells of ranks for which something was written. Nobody sleeps on a node that is not oversubscribed.
void Channel::ring_doorbells() {
  if (!segment_.oversubscribed() || to_ring_.none()) return;
  before_doorbells();
  for (int rank = 0; rank < node_.size; ++rank)
    if (to_ring_[static_cast<std::size_t>(rank)])
      ring_doorbell(segment_.doorbell_of(rank), node_.index, any_position, wait::wake_on);
  to_ring_.reset();
}

bool Channel::advance(Pending& pending) {
  if (!first_of_peer(pending)) return false;
  return pending.sends ? send(pending) : receive(pending);
}

bool Channel::send(Pending& pending) {
  if (pending.state == State::exposed) return end_single_copy(pending);
  if (wants_single_copy(pending)) return send_by_single_copy(pending);
  auto& writer = to_[static_cast<std::size_t>(pending.peer)];
  const std::int64_t total = pending.message.count * type_.size, left = total - pending.done;
  const auto bytes = static_cast<std::int32_t>(std::min(left, whole_elements(fragment_bytes(total))));
  if (bytes > inline_bytes && !writer.fewer_than(share_)) return false;
  const Fragment fragment{.call = call_, .tag = pending.message.tag, .total = total, .bytes = bytes};
  if (!send_fragment(writer, segment_.buffers_of(node_.index), fragment, [&](char* payload) {
        const int rc = pack(type_, pending.message.element_0, pending.done, bytes, payload);
        if (rc != abi::success) pending.result.error = rc;
      }))
    return false;
  to_ring_.set(static_cast<std::size_t>(pending.peer));
  pending.done += bytes;
  if (pending.done == total) pending.state = State::over;
  return true;
}

bool Channel::wants_single_copy(const Pending& pending) const {
  return single_copy_ && pending.done == 0 && pending.message.element_0 && type_.contiguous &&
         pending.message.count * type_.size >=
             (segment_.oversubscribed() ? min_single_copy_oversubscribed_bytes : min_single_copy_bytes);
}

bool Channel::send_by_single_copy(Pending& pending) {
  const std::int64_t total = pending.message.count * type_.size;
  const RemoteAddress address = remote_address_of(pending.message.element_0);
  const Fragment fragment{.call = call_, .tag = pending.message.tag, .total = total, .buffer = exposed};
  const auto tell = [&](char* payload) { std::memcpy(payload, &address, sizeof address); };
  if (!send_fragment(to_[static_cast<std::size_t>(pending.peer)], segment_.buffers_of(node_.index), fragment, tell))
    return false;
  to_ring_.set(static_cast<std::size_t>(pending.peer));
  pending.state = State::exposed;
  return true;
}

/// Looks for the reader's answer. After a refusal this rank sends by single copy no more, because further tries would
/// only take time.
bool Channel::end_single_copy(Pending& pending) {
  const Answer answer = answer_of(to_[static_cast<std::size_t>(pending.peer)]);
  if (answer == Answer::none) return false;
  if (answer == Answer::refused) single_copy_ = false;
  pending.state = answer == Answer::refused ? State::under_way : State::over;
  return true;
}

/// The longest fragment of a message in bytes. The receiver reads a fragment while the sender writes the next one:
/// fragments of half a buffer keep both busy. That saves less than a second fragment costs if the message fits in one
/// buffer. Where ranks share a core, whole buffers mean fewer changes between them.
std::int64_t Channel::fragment_bytes(std::int64_t total) const {
  const bool is_whole = segment_.oversubscribed() || total <= SharedBuffers::buffer_bytes;
  return is_whole ? SharedBuffers::buffer_bytes : SharedBuffers::buffer_bytes / 2;
}

std::int64_t Channel::whole_elements(std::int64_t bytes) const {
  return std::max<std::int64_t>(1, bytes / type_.size) * type_.size;
}

bool Channel::receive(Pending& pending) {
  auto& reader = from_[static_cast<std::size_t>(pending.peer)];
  auto* const slot = reader.poll();
  if (!slot) return false;
  const Fragment fragment = slot->fragment;
  SharedBuffers& theirs = segment_.buffers_of(pending.peer);
  const auto ahead = static_cast<std::int32_t>(fragment.call - call_);
  to_ring_.set(static_cast<std::size_t>(pending.peer));
  if (ahead > 0) {  // the sender has left this call by an exception of its operator
    pending.result.in_step = false;
    pending.state = State::over;
    return true;
  }
  const bool of_this_call = ahead == 0;  // else this rank has left the fragment's call by an exception
  if (of_this_call && fragment.total != pending.message.count * type_.size) pending.message.drops = true;
  if (fragment.buffer == exposed) {
    RemoteAddress from;
    std::memcpy(&from, slot->payload, sizeof from);
    const bool was_read = !of_this_call || read_single_copy(pending, from, fragment.total);
    give_answer(reader, *slot, was_read);
    if (!was_read) return true;
  } else {
    take_fragment(reader, *slot, theirs, [&](const char* payload) {
      if (of_this_call) take(pending, payload, fragment.bytes);
    });
  }
  if (!of_this_call) return true;
  pending.done += fragment.buffer == exposed ? fragment.total : fragment.bytes;
  pending.result.tag = fragment.tag;
  pending.result.bytes = fragment.total;
  if (pending.done == fragment.total) pending.state = State::over;
  return true;
}

/// Reads or combines a message of `total` bytes from the sender's memory. Returns false if the sender must send it as
/// fragments.
bool Channel::read_single_copy(Pending& pending, const RemoteAddress& from, std::int64_t total) {
  if (pending.message.drops) return true;
  if (!type_.contiguous) return false;  // the sender's type may be contiguous nevertheless
  char* const element_0 = pending.message.element_0;
  if (!pending.reduction.kernel) return read_memory(from, element_0, total);
  const bool in_place = overlap(element_0, pending.reduction.out, total);
  for (std::int64_t done = 0; done < total;) {
    char* const part = in_place ? element_0 + done : element_0;
    const std::int64_t bytes = std::min(total - done, whole_elements(part_in_cache));
    if (!read_memory({from.process, from.address + done}, part, bytes)) {
      pending.had = done;
      return false;
    }
    combine(pending, part, done, bytes);
    done += bytes;
  }
  return true;
}

void Channel::take(Pending& pending, const char* payload, std::int32_t bytes) {
  if (pending.message.drops || pending.result.error != abi::success) return;
  if (pending.reduction.kernel) {
    const std::int64_t had = std::clamp<std::int64_t>(pending.had - pending.done, 0, bytes);
    return combine(pending, payload + had, pending.done + had, bytes - had);
  }
  pending.result.error = unpack(type_, payload, pending.message.element_0, pending.done, bytes);
}

/// Combines the bytes of a message from byte `from` on. Types with a kernel have no holes.
void Channel::combine(const Pending& pending, const char* payload, std::int64_t from, std::int64_t bytes) const {
  if (pending.message.drops) return;
  pending.reduction.combine(payload, from, bytes / type_.size);
}

}  // namespace mpigraft::memory
