// SPDX-License-Identifier: MIT
#include "shim/entry/in_flight.hpp"

#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "shim/entry/communicator.hpp"
#include "shim/execute/execution.hpp"
#include "shim/execute/staging.hpp"
#include "shim/observe/verify.hpp"
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

/// One call.
class InFlight::Begun : public abi::OwnOperation {
 public:
  Begun(InFlight& of, const abi::RawCall& raw, const abi::CallFacts& facts, const execute::Decision& decision,
        const execute::Plan& plan)
      : of_(of),
        raw_(raw),
        parts_(raw.parts ? *raw.parts : abi::RawParts{}),
        call_(own(raw_), facts),
        decision_(decision),
        plan_(plan) {
    hold(held_[0], call_.type);
    if (call_.parts && call_.sends_typed()) hold(held_[1], call_.send_type());
  }
  ~Begun() override {
    for (abi::Type& type : held_)
      if (type != abi::Type::null) abi::type_free(type);
  }

  /// Copies the arrays of counts and displacements, as the call may run after MPI has returned to the program. Programs
  /// must leave them alone until the call is over (MPI-4.0, 6.12), but MPI libraries read them at once, and programs
  /// rely on it. Returns false without memory.
  bool keep_arrays() { return keep(parts_.counts, counts_) && keep(parts_.displs, displs_); }

  /// Carries the call on. REQUIRES: all earlier ones are over.
  Outcome advance() {
    if (!execution_ && !verification_) start();
    return verification_ ? advance(*verification_) : advance(*execution_);
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
  /// The call begins now, because it counts after all earlier ones.
  void start() {
    const agree::Negotiated& agreed = of_.communicator_.agreed;
    execute::TransportState& transport = of_.communicator_.transport;
    if (memory::Devices::may_exist()) staging_.emplace(agreed, transport, call_);
    const abi::Call& call = staging_ ? staging_->call() : call_;
    if (observe::verifies_next(agreed, transport)) {
      native_ = raw_;  // on the private communicator, because native calls on the program's may come in between
      native_.comm = abi::to_pass(transport.comm);
      verification_.emplace(agreed, transport, native_, call, decision_, true);
    } else {
      execution_.emplace(agreed, transport, call, plan_);
    }
  }
  template <class Carried>
  Outcome advance(Carried& carried) {
    if (!carried.advance()) return carried.has_moved() ? Outcome::moved : Outcome::waits;
    error = carried.error();
    if (staging_) error = staging_->finish(error);
    verification_.reset(), execution_.reset(), staging_.reset();  // the next call needs their memory
    return Outcome::over;
  }

  const abi::RawCall& own(abi::RawCall& raw) {
    if (raw.parts) raw.parts = &parts_;
    return raw;
  }
  bool keep(const void*& array, std::unique_ptr<char[]>& copy) const {
    if (!array) return true;
    const std::size_t bytes = raw_.large ? sizeof(std::int64_t) : sizeof(int);
    const std::size_t all = bytes * static_cast<std::size_t>(of_.communicator_.agreed.size);
    copy.reset(new (std::nothrow) char[all]);
    if (!copy) return false;
    array = std::memcpy(copy.get(), array, all);
    return true;
  }
  /// Keeps a type of the program, which may free it before the call is over.
  static void hold(abi::Type& held, abi::Type type) {
    if (abi::is_datatype(type) && !abi::is_builtin(type)) held = abi::type_held(type);
  }

  InFlight& of_;  // valid until the call is over
  abi::RawCall raw_;
  abi::RawParts parts_;
  std::unique_ptr<char[]> counts_, displs_;
  const abi::Call call_;
  const execute::Decision decision_;
  const execute::Plan plan_;
  abi::Type held_[2] = {abi::Type::null, abi::Type::null};

  std::optional<execute::Staging> staging_;  // if buffers may lie in a GPU's memory
  std::optional<execute::ResumableExecution> execution_;
  std::optional<observe::Verification> verification_;  // does an execution's work
  abi::RawCall native_;                                // for it
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
  if (freed_) next_dead_ = std::exchange(dead, this);
  return Outcome::over;
}

void InFlight::bury() {
  while (dead) delete &std::exchange(dead, dead->next_dead_)->communicator_;
}

}  // namespace mpigraft::entry
