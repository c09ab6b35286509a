// SPDX-License-Identifier: MIT
#include "shim/pages.hpp"

#include "shim/bell.hpp"
#include "shim/pmpi.hpp"
#include "shim/waiter.hpp"

namespace mpigraft {
namespace {

constexpr std::uint64_t calls_between_progress = 64;

// Its rank writes it in every call, and each look takes the line away.
constexpr std::uint32_t looks_for_one_at_done = 16;

}  // namespace

void Pages::begin(std::uint64_t call, const Datatype& type) {
  call_ = call;
  type_ = type;
  boards_.enter(position_of(call, 0));
  if (call % calls_between_progress == 0) drive_progress(node_.comm);
}

int Pages::publish(const Parcel& parcel, std::int64_t step) {
  int error = MPI_SUCCESS;
  boards_.publish(position_of(call_, step), waiting(), [&](SharedBoard::Sheet& sheet) {
    sheet.tag = parcel.tag;
    sheet.bytes = static_cast<std::int32_t>(parcel.count * type_.size);
    error = pack(shifted_, type_, parcel.element_0, 0, sheet.bytes, sheet.text, node_.comm);
    if (error != MPI_SUCCESS) sheet.bytes = 0;  // who reads it hears of that
  });
  rung_ = 0;
  ring_bells();
  return error;
}

Arrival Pages::read(const Page& page, const Parcel& into, const Joining& joining) {
  Arrival arrival;
  arrival.in_step = boards_.read(
      page.owner, position_of(call_, page.step), waiting(),
      [&](const SharedBoard::Sheet& sheet) { take(sheet, page.first * type_.size, into, joining, arrival); });
  ring_bells();
  return arrival;
}

/// Nothing where the sheet does not hold so much: its owner failed, or has another idea of the call.
void Pages::take(const SharedBoard::Sheet& sheet, std::int64_t from, const Parcel& into, const Joining& joining,
                 Arrival& arrival) {
  const std::int64_t bytes = into.count * type_.size;
  arrival.tag = sheet.tag;
  if (from + bytes > sheet.bytes) return;
  arrival.bytes = bytes;
  if (into.drops) return;
  if (joining.kernel)
    joining.kernel(sheet.text + from, joining.upper, joining.out, into.count);
  else
    arrival.error = unpack(shifted_, type_, sheet.text + from, into.element_0, 0, bytes, node_.comm);
}

/// As Boards wants it.
Position Pages::wait(const std::atomic<Position>& word, Position position, int rank) {
  const Position found = word.load(std::memory_order_acquire);
  if (!before(found, position)) return found;
  const auto& done = segment_.boards()[rank].done;
  const auto reached = [&] { return !before(word.load(std::memory_order_acquire), position); };
  const auto gone_on = [&] { return before(position, done.load(std::memory_order_acquire)); };
  ring_bells();
  Patience patience(node_.comm);
  for (std::uint32_t look = 1; !reached() && !(look % looks_for_one_at_done == 0 && gone_on()); ++look) {
    if (segment_.crowded() && patience.at_end())
      sleep_unless(
          segment_.bell_of(node_.own), only(rank), [&] { return reached() || gone_on(); },
          [this](const SharedWord& bell, std::uint32_t value) { sleep_on(bell, value, node_.comm); });
    else
      patience.pause();
  }
  return word.load(std::memory_order_acquire);
}

/// Once for what this rank has entered, and again for what it has published. Where nobody shares a core, nobody sleeps.
void Pages::ring_bells() {
  if (!segment_.crowded() || rung_ == boards_.entered()) return;
  rung_ = boards_.entered();
  for (int rank = 0; rank < node_.size; ++rank)
    if (rank != node_.own) ring_bell(segment_.bell_of(rank), node_.own, wake_on);
}

}  // namespace mpigraft
