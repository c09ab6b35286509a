// SPDX-License-Identifier: MIT
#include "shim/entry/in_flight.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <new>
#include <utility>

#include "shim/entry/carried_call.hpp"
#include "shim/entry/communicator.hpp"
#include "shim/wait/backoff.hpp"

namespace mpigraft::entry {
namespace {

constinit thread_local InFlight* dead = nullptr;  // the first in the list of those that bury() deletes

// Further transport states cost some 100 us each.
constexpr std::uint64_t calls_before_spread = 16;

constexpr int polls_of_ours = 4;  // polls of shared memory, which are short, for each poll of MPI's messages

}  // namespace

/// One call and its request.
class InFlight::Begun : public abi::OwnOperation {
  static inline constinit std::atomic<void*> spare{nullptr};  // memory for one

 public:
  Begun(InFlight& of, const abi::RawCall& raw, const abi::CallFacts& facts, const execute::Plan& plan)
      : transport(of.communicator_.transports.in_turn(of.begun_, of.communicator_.transport)),
        of_(of),
        carried_(of.communicator_.agreed, raw, facts, plan) {}

  // It is larger than what malloc keeps at hand, so the memory of the last call is kept for the next.
  static void* operator new(std::size_t bytes, const std::nothrow_t& no_throw) noexcept {
    void* const kept = spare.exchange(nullptr);
    return kept ? kept : ::operator new(bytes, no_throw);
  }
  static void operator delete(void* memory) noexcept { ::operator delete(spare.exchange(memory)); }

  bool keep_arrays() { return carried_.keep_arrays(); }

  /// Carries the call on. REQUIRES: all earlier ones by its transport state are over.
  Outcome advance() {
    const Outcome outcome = carried_.advance(transport);
    error = carried_.error();
    return outcome;
  }

  void poll() override {
    for (int i = 0; i < polls_of_ours && !over; ++i) wait::carry_on();
    if (!over) abi::progress();
  }
  void wait() override {
    if (!over) of_.wait_for(this);
  }
  /// MPICH also calls it when the program frees the request of a call that is not over, which MPI forbids.
  void release() override {
    if (over)
      delete this;
    else
      released = true;
  }

  execute::TransportState& transport;
  bool over = false, released = false;
  abi::Request request = abi::Request::null;
  Begun* next = nullptr;

 private:
  InFlight& of_;  // valid until the call is over
  CarriedCall carried_;
};

int InFlight::begin(const abi::RawCall& raw, const abi::Call& call, const execute::Plan& plan, abi::Request& request) {
  bury();
  count();
  std::unique_ptr<Begun> begun(new (std::nothrow) Begun(*this, raw, call, plan));
  if (!begun || !begun->keep_arrays()) return carry_out_at_once(raw, call, plan, request);
  if (const int error = abi::request_for(*begun, request); error != abi::success) return error;
  begun->request = request;
  const bool idle = first_ == nullptr;
  *end_ = begun.release();
  end_ = &(*end_)->next;
  if (idle)
    wait::begin(*this);
  else if (!wait::in_job())
    wait::carry_on();
  return abi::success;
}

void InFlight::count() {
  overlap_ = overlap_ || first_;
  if (++begun_ != calls_before_spread) return;
  communicator_.wants_transport = true;
  ++generation;  // so that all ranks look at that in the same call
}

void InFlight::spread() {
  if (begun_ < calls_before_spread || abi::true_on_all(!overlap_, communicator_.agreed.comm)) return;
  finish();
  communicator_.transports.take_turns(communicator_.agreed, communicator_.transport);
}

/// Makes a call for which there is no memory. It blocks, so that this rank stays in step with the others.
int InFlight::carry_out_at_once(const abi::RawCall& raw, const abi::Call& call, const execute::Plan& plan,
                                abi::Request& request) {
  static abi::OwnOperation nothing;
  finish();
  Begun begun(*this, raw, call, plan);
  for (wait::Backoff backoff; begun.advance() != Outcome::over;) backoff.pause();
  if (begun.error != abi::success) return begun.error;
  const int error = abi::request_for(nothing, request);
  if (error == abi::success) abi::complete(request);
  return error;
}

void InFlight::wait_for(const Begun* one) {
  for (wait::Backoff backoff; one ? !one->over : first_ != nullptr;)
    if (!wait::carry_on()) backoff.pause();
}

wait::Job::Outcome InFlight::advance() {
  bool moved = false;
  std::array<const execute::TransportState*, execute::TransportPool::most_turns + 1> busy;  // those of calls that wait
  std::size_t waiting = 0;
  for (Begun** place = &first_; *place && waiting < busy.size();) {
    Begun& begun = **place;
    const bool is_next = std::find(busy.begin(), busy.begin() + waiting, &begun.transport) == busy.begin() + waiting;
    const Outcome outcome = is_next ? begun.advance() : Outcome::waits;
    moved |= outcome != Outcome::waits;
    if (outcome == Outcome::over) {
      end(*place);
    } else {
      if (is_next) busy[waiting++] = &begun.transport;
      place = &begun.next;
    }
  }
  if (first_) return moved ? Outcome::moved : Outcome::waits;
  let_go();
  return Outcome::over;
}

/// Takes a call that is over out of the list.
void InFlight::end(Begun*& place) {
  Begun& begun = *place;
  if (end_ == &begun.next) end_ = &place;
  place = begun.next;
  begun.over = true;
  const bool released = begun.released;
  abi::complete(begun.request);  // may delete `begun`, unless that has been released before
  if (released) delete &begun;
}

void InFlight::let_go() {
  if (freed_ && !any()) next_dead_ = std::exchange(dead, this);
}

bool InFlight::any() const { return first_ != nullptr || communicator_.persistent > 0; }

void InFlight::bury() {
  while (dead) delete &std::exchange(dead, dead->next_dead_)->communicator_;
}

}  // namespace mpigraft::entry
