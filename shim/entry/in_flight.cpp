// SPDX-License-Identifier: MIT
#include "shim/entry/in_flight.hpp"

#include <memory>
#include <new>
#include <utility>

#include "shim/entry/carried_call.hpp"
#include "shim/entry/communicator.hpp"
#include "shim/entry/plan_for.hpp"
#include "shim/wait/backoff.hpp"

namespace mpigraft::entry {
namespace {

/// The first in the list of those that bury() deletes.
[[gnu::tls_model("initial-exec")]] constinit thread_local InFlight* dead = nullptr;

// Further transport states cost some 100 us each.
constexpr std::uint64_t calls_before_spread = 16;

// Looks at shared memory are short. On an oversubscribed node they only keep other ranks from the core.
constexpr int looks_for_each_poll = 4;
constexpr int looks_at_begin = 20;  // other ranks mostly begin at the same time, and a request of ours takes as long

/// Waits, and goes on with the jobs, until `is_over()`. REQUIRES: !wait::in_job().
void carry_on_until(auto is_over) {
  for (wait::Backoff backoff; !is_over();) {
    if (wait::carry_on())
      backoff = wait::Backoff();
    else
      backoff.pause();
  }
}

/// Makes a request for a call that is over: of a call on no data, which MPI, too, ends at once. A request of ours takes
/// twice as long.
int request_of_nothing(abi::Request& request) {
  return abi::bcast(nullptr, 0, abi::type_byte, 0, abi::own_comm(), &request);
}

}  // namespace

/// One call and its request.
class InFlight::Begun final : public CarriedCall, public abi::OwnOperation {
  static inline constinit void* spare = nullptr;  // memory for one; all calls of MPI come from one thread

 public:
  Begun(InFlight& of, const abi::Call& call, const execute::Plan& plan)
      : CarriedCall(of.communicator_.agreed, call, plan,
                    &of.communicator_.transports.in_turn(of.begun_, of.communicator_.transport)),
        of_(of) {}

  // It is larger than what malloc keeps at hand, so the memory of the last call is kept for the next.
  static void* operator new(std::size_t bytes, const std::nothrow_t& no_throw) noexcept {
    void* const kept = std::exchange(spare, nullptr);
    return kept ? kept : ::operator new(bytes, no_throw);
  }
  static void operator delete(void* memory) noexcept { ::operator delete(std::exchange(spare, memory)); }

  /// Begins the call. An operator of the program may leave it by an exception; then the call goes on without a request.
  void begin() {
    take_turn();
    of_.enter(), ++of_.under_way_;
    wait::begin(*this);
  }
  void take_turn() { turn_ = transport->queued++; }

  Outcome advance() override {
    if (transport->over != turn_) return Outcome::waits;
    const Outcome outcome = CarriedCall::advance();
    if (outcome == Outcome::over) ++transport->over;
    return outcome;
  }
  void ended() override {
    InFlight& of = of_;
    over = true, error = outcome();
    --of.under_way_;
    if (error != abi::success) tell_before_end(of.communicator_.agreed, call(), error, abi::comm_world);
    const bool was_released = released;
    if (request != abi::Request::null) abi::complete(request);  // may delete this one, unless it was released before
    if (was_released) delete this;
    of.leave();
  }

  void look(int times) {
    for (int i = 0; i < times && !over; ++i) wait::carry_on();
  }
  void poll() override {
    look(wait::oversubscribed() ? 1 : looks_for_each_poll);
    if (!over) abi::progress();
  }
  void wait() override {
    carry_on_until([this] { return over; });
  }
  /// MPICH also calls it when the program frees the request of a call that is not over, which MPI forbids.
  void release() override {
    if (over)
      delete this;
    else
      released = true;
  }

  bool over = false, released = false;
  abi::Request request = abi::Request::null;

 private:
  InFlight& of_;  // valid until the call is over
  std::uint64_t turn_ = 0;
};

int InFlight::begin(const abi::Call& call, const execute::Plan& plan, abi::Request& request) {
  count();
  std::unique_ptr<Begun> fresh(new (std::nothrow) Begun(*this, call, plan));
  if (!fresh || !fresh->keep_arrays()) return carry_out_at_once(call, plan, request);
  if (under_way_ > 0 && !wait::in_job()) wait::carry_on();
  Begun& begun = *fresh.release();
  begun.begin();
  if (plan.stays_in_memory && !wait::in_job() && !wait::oversubscribed()) begun.look(looks_at_begin);
  if (begun.over && begun.error == abi::success && abi::cannot_cancel_nothing()) {
    delete &begun;
    return request_of_nothing(request);
  }
  const int error = abi::request_for(begun, request);
  if (error != abi::success) {
    begun.wait();
    delete &begun;
    return error;
  }
  begun.request = request;
  if (begun.over) abi::complete(request);
  return abi::success;
}

void InFlight::count() {
  overlap_ = overlap_ || under_way_ > 0;
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
int InFlight::carry_out_at_once(const abi::Call& call, const execute::Plan& plan, abi::Request& request) {
  finish();
  Begun begun(*this, call, plan);
  begun.take_turn();
  for (wait::Backoff backoff; begun.advance() != wait::Job::Outcome::over;) backoff.pause();
  return begun.outcome() == abi::success ? request_of_nothing(request) : begun.outcome();
}

void InFlight::wait_for_all() {
  carry_on_until([this] { return under_way_ == 0; });
}

void InFlight::leave() {
  if (--users_ == 0 && freed_) next_dead_ = std::exchange(dead, this);
}

void InFlight::bury() {
  while (dead) delete &std::exchange(dead, dead->next_dead_)->communicator_;
}

}  // namespace mpigraft::entry
