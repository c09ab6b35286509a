// SPDX-License-Identifier: MIT
// The path of a collective: from the call to a decision, and on to an algorithm or to PMPI.

#include "config/table/interface.hpp"
#include "shim/abi/functions.hpp"
#include "shim/abi/library.hpp"
#include "shim/base/clock.hpp"
#include "shim/base/process.hpp"
#include "shim/entry/intercept.hpp"
#include "shim/entry/plan_for.hpp"
#include "shim/execute/execution.hpp"
#include "shim/execute/staging.hpp"
#include "shim/observe/report.hpp"
#include "shim/observe/verify.hpp"

namespace mpigraft::entry {

namespace {

/// Runs the algorithm of a plan, or PMPI. Returns MPI's error code; that of an algorithm is raised already.
int carry_out(Communicator& communicator, const abi::Call& call, const execute::Plan& plan) {
  const agree::Negotiated& agreed = communicator.agreed;
  execute::TransportState& transport = communicator.transport;
  if (agreed.strict && strict_forbids(agreed, plan.decision)) return refuse(agreed, call, plan.decision);
  if (plan.decision.is_native()) return abi::forward(call);
  communicator.in_flight.finish();
  if (call.user_op) base::prepare_unwinder();
  const auto run = [&](const abi::Call& on_host) __attribute__((always_inline)) {
    return observe::verifies_next(agreed, transport)
               ? observe::graft_and_verify(agreed, transport, on_host, plan.decision)
               : execute::Execution(agreed, transport, on_host, plan).run();
  };
  const int error = execute::on_host_memory(agreed, transport, call, run);
  return error == abi::success ? abi::success : raise(agreed, call, error);
}

[[gnu::noinline]] int carry_out_counted(Communicator& communicator, const abi::Call& call, const execute::Plan& plan,
                                        const void* caller) {
  const observe::CountedCall counted(communicator.agreed, &communicator.last_row,
                                     communicator.transport.channel.has_value(), call, plan.decision, caller);
  return carry_out(communicator, call, plan);
}

[[gnu::noinline, gnu::cold]] void make_transport(Communicator& communicator, const abi::RawCall& raw) {
  if (is_refused(raw, communicator.agreed.size)) return;
  communicator.wants_transport = false;
  execute::TransportState& transport = communicator.transport;
  if (transport.ensure(communicator.agreed)) transport.ensure_comm(communicator.agreed);
  if (transport.comm != abi::Comm::null) communicator.in_flight.spread();
  forget_if_impossible(communicator);
}

int carry_out_told(Communicator& communicator, const abi::Call& call, const execute::Plan& plan, const void* caller) {
  if (observe::asks_for_report()) [[unlikely]]
    return carry_out_counted(communicator, call, plan, caller);
  return carry_out(communicator, call, plan);
}

/// Runs the next candidate of a trial. It counts from its start, because an operator may leave the call by an
/// exception.
int try_candidate(LastCall& last, const PlannedCall& planned, const void* caller) {
  Communicator& communicator = *last.communicator;
  learning::Entry& entry = *planned.known->trial;
  const int candidate = entry.trial.start(base::now_ns());
  execute::Plan plan = *planned.plan;
  if (candidate != 0) {
    const execute::Decision tried({.choice = entry.choice(candidate), .reason = table::Reason::learning});
    plan = tried.is_native() ? execute::Plan(tried)
                             : execute::Plan(communicator.agreed, communicator.transport, planned.call, tried);
  }
  const std::uint64_t before = frees();
  const std::int64_t begin = base::now_ns();
  const int error = carry_out_told(communicator, planned.call, plan, caller);
  if (is_freed_since(before, abi::passed<abi::Comm>(planned.call.comm))) return error;  // by its error handler
  if (error == abi::success) entry.trial.took(base::now_ns() - begin);
  return error;
}

int dispatch(LastCall& last, const abi::RawCall& raw, const void* caller);

/// Makes a call for which there is a trial: evaluates the trial if that is due, and runs a candidate unless it is over.
[[gnu::noinline, gnu::cold]] int run_trial(LastCall& last, const PlannedCall& planned, const void* caller) {
  Communicator& communicator = *last.communicator;
  learning::Entry& entry = *planned.known->trial;
  if (planned.plan->decision.reason == table::Reason::arguments)
    return carry_out_told(communicator, planned.call, *planned.plan, caller);
  if (entry.trial.is_evaluation_due()) {
    communicator.in_flight.finish();
    learn::Learner::evaluate(communicator.agreed, entry);
  }
  if (!entry.trial.over()) return try_candidate(last, planned, caller);
  planned.known->forget();
  last.known = nullptr;
  return dispatch(last, planned.call, caller);
}

/// Makes a call on the communicator that `last` knows.
[[gnu::noinline]] int dispatch(LastCall& last, const abi::RawCall& raw, const void* caller) {
  if (last.communicator->wants_transport) [[unlikely]]
    make_transport(*last.communicator, raw);
  const PlannedCall planned = plan_for(last, raw);
  if (planned.known->trial) [[unlikely]]
    return run_trial(last, planned, caller);
  return carry_out_told(*last.communicator, planned.call, *planned.plan, caller);
}

/// Forwards a call on a communicator without state, and counts it if there is a report.
int native_call(const abi::RawCall& raw, const void* caller) {
  if (!observe::asks_for_report()) return abi::forward(raw);
  const agree::Negotiated passing(abi::passed<abi::Comm>(raw.comm), agree::FallbackReason::warming_up);
  observe::CountedRow* no_row = nullptr;
  abi::Call call(raw);
  const execute::Decision decision = execute::decide_native(passing, call);
  const observe::CountedCall counted(passing, &no_row, false, call, decision, caller);
  return abi::forward(raw);
}

/// True if the exception that leaves the call is that of an operator of the program; else it is the error handler's.
[[gnu::noinline, gnu::cold]] bool operator_has_thrown(const abi::RawCall& raw) {
  if (raw.raw_op == 0 || abi::is_builtin(abi::passed<abi::Op>(raw.raw_op))) return false;
  return !is_refused(raw, abi::comm_size(abi::passed<abi::Comm>(raw.comm)));
}

/// True for MPICH from version 5 on, which no longer spins: it returns MPI_SUCCESS from a call that it refuses if the
/// communicator's error handler is the program's own.
bool hides_errors() {
  const char* const version = abi::library_version();
  return table::interface_of(version) == table::Interface::mpich && !table::waits_spin(version);
}

/// True if MPI refuses the call, but will return MPI_SUCCESS.
bool is_refused_in_silence(const abi::RawCall& raw) {
  static const bool may_be = hides_errors();
  if (!may_be) [[likely]]
    return false;
  const auto comm = abi::passed<abi::Comm>(raw.comm);
  return abi::errors_of(comm) == abi::Errors::are_handled && !abi::comm_is_inter(comm) &&
         is_refused(raw, abi::comm_size(comm));
}

/// Makes a native call on a communicator that is not set up yet, and counts it unless MPI refuses its arguments. It
/// counts, too, if an operator of the program leaves it by an exception. An error handler of the program may have freed
/// the communicator.
int early_call(Warming* warming_up, const abi::RawCall& raw, const void* caller) {
  struct Counted {
    Warming* warming_up;
    const abi::RawCall& raw;
    const bool refused;
    const std::uint64_t before = frees();
    bool returned = false;
    int error = abi::success;
    ~Counted() {
      if (refused || is_freed_since(before, abi::passed<abi::Comm>(raw.comm))) return;
      if (warming_up && warming_up->size == 1) return;
      if (!returned && !operator_has_thrown(raw)) return;
      if (error == abi::success && warming_up)
        warming_up->warm_up.add(abi::estimated_native_ns(raw, warming_up->size));
      else if (error == abi::success || !abi::is_of_arguments(error))
        count_native_call(abi::passed<abi::Comm>(raw.comm), raw);
    }
  } counted{warming_up, raw, is_refused_in_silence(raw)};
  counted.error = native_call(raw, caller);
  counted.returned = true;
  return counted.error;
}

/// Makes a call on a communicator that `last` does not know.
[[gnu::noinline]] int first_call(LastCall& last, std::uint64_t now, const abi::RawCall& raw, const void* caller) {
  if (base::disabled()) return abi::forward(raw);
  const Attribute known = attribute_for_call(raw);
  if (known.refused) return *known.refused;
  if (known.warming_up) last.remember(raw, now, *known.warming_up);
  if (known.is_warming_up) return early_call(known.warming_up, raw, caller);
  if (!known.communicator) return abi::forward(raw);
  last.remember(raw, now, *known.communicator);
  return dispatch(last, raw, caller);
}

/// Makes a call on the warming_up communicator that `last` knows.
[[gnu::noinline]] int next_early_call(LastCall& last, const abi::RawCall& raw, const void* caller) {
  if (last.warming_up->size == 1 && !info_of(raw.collective).has_parts() && !observe::asks_for_report())
    remember_native(raw, {raw, 1});
  if (last.warming_up->size == 1) return native_call(raw, caller);
  const bool is_world = abi::passed<abi::Comm>(raw.comm) == abi::comm_world;
  if (keeps_warming_up(last.warming_up->warm_up, is_world)) return early_call(last.warming_up, raw, caller);
  return first_call(last, generation.load(std::memory_order_acquire), raw, caller);
}

}  // namespace

LastCall& last_call_of(const abi::RawCall& raw) {
  [[gnu::tls_model("initial-exec")]] static constinit thread_local Places<LastCall> last_calls;
  return place_of(last_calls, raw);
}

int intercepted(const abi::RawCall& raw, const void* caller) {
  LastCall& last = last_call_of(raw);
  const std::uint64_t now = generation.load(std::memory_order_acquire);
  const bool known = last.knows(raw, now);
  if (known && last.communicator) return dispatch(last, raw, caller);
  return known ? next_early_call(last, raw, caller) : first_call(last, now, raw, caller);
}

}  // namespace mpigraft::entry
