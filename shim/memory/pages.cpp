// SPDX-License-Identifier: MIT
#include "shim/memory/pages.hpp"

#include "shim/memory/doorbell.hpp"
#include "shim/wait/backoff.hpp"

namespace mpigraft::memory {
namespace {

constexpr std::uint64_t calls_between_progress = 64;

// Each poll of `done` takes the cache line from its writer, which writes it in every call, so polls are rare.
constexpr std::uint32_t polls_for_one_of_done = 16;

constexpr int looks_in_a_row = 32;

/// Asks for all lines of a long payload at once. Kernels and memcpy ask for few at a time, which takes longer if the
/// owner's core is far away.
void fetch(const char* payload, std::int64_t bytes) {
  if (!SharedBroadcastBuffer::is_long(bytes)) return;
  for (std::int64_t i = 0; i < bytes; i += line_bytes) __builtin_prefetch(payload + i);
}

}  // namespace

void Pages::begin(std::uint64_t call, const abi::Datatype& type) {
  call_ = segment_.number_of(call);
  type_ = type;
  buffers_.enter(position_of(call_, 0));
  if (call % calls_between_progress == 0) wait::drive_progress();
}

int Pages::publish(const Message& message, std::int64_t step) {
  int error = abi::success;
  const std::int64_t bytes = message.count * type_.size;
  buffers_.publish(position_of(call_, step), bytes, waiting(), [&](SharedBroadcastBuffer::Slot& slot) {
    slot.tag = message.tag;
    error = pack(type_, message.element_0, 0, bytes, segment_.broadcast_buffers()[node_.index].payload_of(slot));
    if (error != abi::success) slot.bytes = 0;  // tells readers of the failure
  });
  rung_ = 0;
  ring_doorbells();
  return error;
}

/// If the slot holds fewer bytes than expected, its owner failed or passed another count. Then arrival.bytes stays 0.
Arrival Pages::read(const Page& page, const Message& into, const FusedReduction& reduction) {
  Arrival arrival;
  arrival.in_step =
      buffers_.read(page.owner, position_of(call_, page.step), waiting(), [&](SharedBroadcastBuffer::Slot& slot) {
        arrival.tag = slot.tag;
        if ((page.first + into.count) * type_.size > slot.bytes) return;
        take(segment_.broadcast_buffers()[page.owner].payload_of(slot) + page.first * type_.size, into, reduction,
             arrival);
      });
  ring_doorbells();
  return arrival;
}

void Pages::take(const char* payload, const Message& into, const FusedReduction& reduction, Arrival& arrival) {
  arrival.bytes = into.count * type_.size;
  if (into.drops) return;
  fetch(payload, arrival.bytes);
  if (reduction.kernel)
    reduction.combine(payload, 0, into.count);
  else
    arrival.error = unpack(type_, payload, into.element_0, 0, arrival.bytes);
}

Position Pages::wait_for(const Awaited& awaited) {
  ring_doorbells();
  wait::Backoff backoff;
  for (std::uint32_t poll = 1; !reached(awaited) && !(poll % polls_for_one_of_done == 0 && gone_on(awaited)); ++poll) {
    if (segment_.oversubscribed() && backoff.at_end())
      sleep_unless(
          segment_.doorbell_of(node_.index), only(awaited.rank), awaited.position,
          [&] { return reached(awaited) || gone_on(awaited); }, wait::sleep_on);
    else
      backoff.pause();
  }
  return awaited.word->load(std::memory_order_acquire);
}

bool Pages::reached(const Awaited& awaited) const {
  return !before(awaited.word->load(std::memory_order_acquire), awaited.position);
}
bool Pages::gone_on(const Awaited& awaited) const {
  const auto& done = segment_.broadcast_buffers()[awaited.rank].done;
  return before(awaited.position, done.load(std::memory_order_acquire));
}

/// Looks at the awaited word a few times more. That costs far less than to return and to be asked again.
bool Pages::comes_soon() const {
  for (int i = 0; i < looks_in_a_row; ++i)
    if (reached(awaited_)) return true;
  return false;
}

/// Returns true if `succeeds()`, which looks.
bool Pages::can(auto succeeds) {
  while (!succeeds()) {
    ring_doorbells();
    if (!segment_.oversubscribed()) {
      if (!comes_soon()) return false;
      continue;
    }
    SharedDoorbell& doorbell = segment_.doorbell_of(node_.index);
    const std::uint32_t whom = only(awaited_.rank);
    if (!may_sleep(doorbell, whom, awaited_.position, [this] { return reached(awaited_) || gone_on(awaited_); }))
      continue;
    wait::job_waits_for({&doorbell.sleeper, whom});
    return false;
  }
  return true;
}

bool Pages::can_publish(std::int64_t count, std::int64_t step) {
  return can([&] { return buffers_.make_room(position_of(call_, step), count * type_.size, looking()); });
}

bool Pages::can_read(const Page& page) {
  const Position at = position_of(call_, page.step);
  return can([&] {
    if (!before(buffers_.position_in_slot(page.owner, at, looking()), at)) return true;
    return ++looks_ % polls_for_one_of_done == 0 && gone_on(awaited_);
  });
}

/// Rings all doorbells once after this rank has entered a position, and once more after it has published a page there.
/// Nobody sleeps on a node that is not oversubscribed.
void Pages::ring_doorbells() {
  if (!segment_.oversubscribed() || rung_ == buffers_.entered()) return;
  rung_ = buffers_.entered();
  before_doorbells();
  for (int rank = 0; rank < node_.size; ++rank)
    if (rank != node_.index) ring_doorbell(segment_.doorbell_of(rank), node_.index, rung_, wait::wake_on);
}

}  // namespace mpigraft::memory
