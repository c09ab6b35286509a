// SPDX-License-Identifier: MIT
#include "shim/watch/traced_call.hpp"

#include <time.h>

#include <algorithm>
#include <array>
#include <atomic>

#include "shim/abi/arguments.hpp"
#include "shim/abi/predefined.hpp"
#include "shim/base/clock.hpp"
#include "shim/watch/traced_handles.hpp"

namespace mpigraft::watch {

using report::Together;
using report::TraceEntry;
using report::TraceMessage;

namespace {

std::atomic<std::int64_t> entries_made{0};
[[gnu::tls_model("initial-exec")]] constinit thread_local Inside inside_now;

/// By place of an entry: true while a thread of this process is in that call.
std::array<std::atomic<bool>, report::traced_calls> taken;
/// The entry of a thread that finds all places taken. Other processes do not see it.
thread_local TraceEntry unseen;

/// Takes the next place that is not that of a call which another thread is still in.
TraceEntry& place_for_entry(std::int64_t& number) {
  auto& entries = trace_file()->entries;
  for (std::size_t tries = 0; tries < entries.size(); ++tries) {
    number = entries_made.fetch_add(1) + 1;
    const std::size_t place = static_cast<std::size_t>(number - 1) % entries.size();
    if (!taken[place].exchange(true, std::memory_order_acquire)) return entries[place];
  }
  return unseen;
}

void leave_place(const TraceEntry& entry, std::int64_t number) {
  if (&entry == &unseen) return;
  taken[static_cast<std::size_t>(number - 1) % taken.size()].store(false, std::memory_order_release);
}

/// The elements that the call passes. With MPI_IN_PLACE they are those of the other buffer.
void put_told_elements(TraceEntry& entry, const Told& told, int ranks) {
  const bool in_place = told.other_count && told.buf == abi::in_place;
  const std::int64_t count = in_place ? *told.other_count : abi::length_of(told.call, ranks);
  const abi::Word type = in_place ? told.other_datatype : told.call.raw_type;
  if (type != 0) put_elements(entry, count, abi::passed<abi::Type>(type));
}

TraceMessage message_of(const Told& told, const TracedComm& comm, bool sent) {
  TraceMessage message;
  const int rank = sent ? *told.dest : *told.source;
  const int tag = *(sent ? told.tag : told.recvtag ? told.recvtag : told.tag);
  bool in_world = false;
  message.sent = sent;
  message.peer = rank == abi::any_source && !sent ? report::any : report::no_rank;
  if (rank >= 0) message.peer = world_rank(abi::passed<abi::Comm>(told.call.comm), comm, rank, in_world);
  message.of_world = in_world;
  message.tag = tag == abi::any_tag ? report::any : tag;
  return message;
}

void put_messages(TraceEntry& entry, const Told& told, const TracedComm& comm) {
  const auto add = [&](bool sent) {
    entry.messages[static_cast<std::size_t>(entry.operations++)] = message_of(told, comm, sent);
  };
  if (told.dest) add(true);
  if (told.source) add(false);
}

/// True if MPI will refuse the arguments of a collective, so that this rank makes no call together with others.
bool is_refused(std::string_view function, const Told& told, const TracedComm& comm) {
  if (function.ends_with("_c")) function.remove_suffix(2);
  const auto known = std::ranges::find(collective_functions, function, &CollectiveFunction::name);
  if (known == collective_functions.end()) return false;
  abi::RawCall raw = told.call;
  raw.collective = known->collective, raw.equal = known->equal;
  abi::Call call(raw);
  return !abi::inspect(call, comm.place.rank, comm.place.size);
}

/// Calls on an intercommunicator cannot be compared, because it has no name that all ranks know.
Together together_of(Callers callers, const TracedComm* comm) {
  if (!comm || comm->inter) return Together::nobody;
  if (callers == Callers::alike) return Together::alike;
  return callers == Callers::alone ? Together::nobody : Together::ranks;
}

}  // namespace

Inside inside() { return inside_now; }

TracedCall::TracedCall(std::string_view function, Callers callers, const Told& told)
    : function_(function), callers_(callers), told_(told) {
  if (!trace_file()) return;
  const abi::Word of = callers == Callers::last ? abi::to_pass(abi::comm_world) : told.call.comm;
  if (of != 0 && !(comm_ = traced_comm(abi::passed<abi::Comm>(of), refused_))) return;
  const bool is_of_mpi = told.freed == abi::comm_world || told.freed == abi::comm_self || told.freed == abi::Comm::null;
  if (told.freed && !is_of_mpi) freed_.emplace(*told.freed, refused_);  // MPI refuses to free its own
  if (refused_) return;
  if (callers == Callers::starts) return;
  Together together = together_of(callers, comm_);
  if (together == Together::alike && is_refused(function, told, *comm_)) together = Together::nobody;
  TraceEntry& entry = enter(together);
  if (!comm_ || !comm_->inter) put_told_elements(entry, told, comm_ ? comm_->place.size : 0);
  if (const abi::Word op = told.call.raw_op; op != 0)
    put(entry.op, abi::name_of(abi::operator_of(abi::passed<abi::Op>(op))));
  if (told.root) entry.root = *told.root < 0 ? report::no_rank : *told.root;
  if (comm_) put_messages(entry, told, *comm_);
  if (told.requests) describe_requests(entry, told.requests, *told.number);
  publish();
}

/// Begins an entry. Its number is 0 until publish(), because readers take an entry with a number for complete.
TraceEntry& TracedCall::enter(Together together) {
  entry_ = &place_for_entry(number_);
  std::atomic_ref(entry_->number).store(0, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  *entry_ = {};
  entry_->together = together;
  entry_->entered = time(nullptr);
  put(entry_->function, function_);
  if (comm_) entry_->comm = comm_->place;
  if (together != Together::nobody) entry_->call = call_ = ++comm_->calls;
  around_ = inside_now;
  inside_now = {entry_, base::now_ns()};
  return *entry_;
}

void TracedCall::publish() {
  report::TraceFile& file = *trace_file();
  std::atomic_ref(entry_->number).store(number_, std::memory_order_release);
  std::atomic_ref made(file.made);
  for (std::int64_t before = made; before < number_ && !made.compare_exchange_weak(before, number_);) {
  }
  if (!comm_ || (comm_->place.size > 1 && !comm_->named_late)) check_call(*entry_);
}

TracedCall::~TracedCall() {
  if (!entry_) return;
  entry_->left = time(nullptr);
  leave_place(*entry_, number_);
  inside_now = around_;
  notice_end();
  if (callers_ == Callers::last) trace_over();
}

/// MPI_Isendrecv and its like are two messages: only their function is remembered.
void TracedCall::remember_request() const {
  const abi::Request request = abi::request_at(told_.newrequest, 0);
  if (request == abi::Request::null) return;
  TracedRequest started;
  if (comm_ && told_.dest.has_value() != told_.source.has_value())
    started.message = message_of(told_, *comm_, told_.dest.has_value());
  else
    started.message.sent = -1;
  if (comm_) started.comm = comm_->place;
  put(started.message.function, function_);
  remember(request, started);
}

int TracedCall::ended(int error) {
  // MPI_Comm_disconnect may return no error although the communicator stays.
  if (freed_ && (told_.oldcomm ? abi::comm_at(told_.oldcomm) == told_.freed : error != abi::success))
    freed_->is_in_vain();
  if (error != abi::success) {
    if (call_ > 0 && callers_ != Callers::last && abi::is_of_arguments(error)) --comm_->calls;
    return error;
  }
  if (!trace_file()) return error;
  if (told_.newrequest) remember_request();
  abi::Refused unexpected;
  if (told_.newcomm)
    if (const abi::Comm made = abi::comm_at(told_.newcomm); made != abi::Comm::null)
      traced_comm(made, unexpected, call_ > 0 ? mark_of(comm_->place, call_) : no_origin);
  return error;
}

}  // namespace mpigraft::watch
