// SPDX-License-Identifier: MIT
#include "shim/entry/in_flight.hpp"

#include <memory>
#include <new>
#include <utility>

#include "shim/entry/carried_call.hpp"
#include "shim/entry/communicator.hpp"
#include "shim/wait/backoff.hpp"

namespace mpigraft::entry {
namespace {

constinit thread_local InFlight* dead = nullptr;  // the first in the list of those that bury() deletes

constexpr int polls_of_ours = 8;  // polls of shared memory, which are short, for each poll of MPI's messages

/// The operation of a request whose call was over before the request was made.
class Nothing : public abi::OwnOperation {
 public:
  void poll() override {}
  void wait() override {}
  void release() override {}
};

}  // namespace

/// One call and its request.
class InFlight::Begun : public abi::OwnOperation {
 public:
  Begun(InFlight& of, const abi::RawCall& raw, const abi::CallFacts& facts, const execute::Decision& decision,
        const execute::Plan& plan)
      : of_(of), carried_(of.communicator_.agreed, raw, facts, decision, plan) {}

  bool keep_arrays() { return carried_.keep_arrays(); }

  /// Carries the call on. REQUIRES: all earlier ones are over.
  Outcome advance() {
    const Outcome outcome = carried_.advance(of_.communicator_.transport);
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
  void release() override { delete this; }

  bool over = false;
  abi::Request request = abi::Request::null;
  Begun* next = nullptr;

 private:
  InFlight& of_;  // valid until the call is over
  CarriedCall carried_;
};

int InFlight::begin(const abi::RawCall& raw, const abi::Call& call, const execute::Decision& decision,
                    const execute::Plan& plan, abi::Request& request) {
  bury();
  std::unique_ptr<Begun> begun(new (std::nothrow) Begun(*this, raw, call, decision, plan));
  if (!begun || !begun->keep_arrays()) return carry_out_at_once(raw, call, decision, plan, request);
  if (const int error = abi::request_for(*begun, request); error != abi::success) return error;
  begun->request = request;
  const bool idle = first_ == nullptr;
  (idle ? first_ : last_->next) = begun.get();
  last_ = begun.release();
  if (idle) wait::begin(*this);
  return abi::success;
}

/// Makes a call for which there is no memory. It blocks, so that this rank stays in step with the others.
int InFlight::carry_out_at_once(const abi::RawCall& raw, const abi::Call& call, const execute::Decision& decision,
                                const execute::Plan& plan, abi::Request& request) {
  static Nothing nothing;
  finish();
  Begun begun(*this, raw, call, decision, plan);
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
  for (bool moved = false; first_; moved = true) {
    Begun& begun = *first_;
    if (const Outcome outcome = begun.advance(); outcome != Outcome::over) return moved ? Outcome::moved : outcome;
    first_ = begun.next;
    begun.over = true;
    abi::complete(begun.request);  // deletes `begun` if the program has already freed the request
  }
  let_go();
  return Outcome::over;
}

void InFlight::let_go() {
  if (freed_ && !any()) next_dead_ = std::exchange(dead, this);
}

bool InFlight::any() const { return first_ != nullptr || communicator_.persistent > 0; }

void InFlight::bury() {
  while (dead) delete &std::exchange(dead, dead->next_dead_)->communicator_;
}

}  // namespace mpigraft::entry
