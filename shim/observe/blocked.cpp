// SPDX-License-Identifier: MIT
#include "shim/observe/blocked.hpp"

#include "shim/abi/functions.hpp"
#include "shim/observe/trace_words.hpp"
#include "shim/observe/traced_comm.hpp"
#include "shim/observe/traced_requests.hpp"

namespace mpigraft::observe {

using abi::Blocking;
using report::Together;
using report::TraceEntry;
using report::TraceMessage;

namespace {

/// The arguments of a call, found by the letters of shim/abi/blocking.hpp.
struct Arguments {
  const Blocking& function;
  const std::uintptr_t* words;

  bool has(char letter) const { return function.place(letter) >= 0; }
  std::uintptr_t word(char letter) const { return words[function.place(letter)]; }
  const void* pointer(char letter) const { return reinterpret_cast<const void*>(word(letter)); }
  int number(char letter) const { return static_cast<int>(word(letter)); }
  std::int64_t count(char letter) const {
    return function.large ? static_cast<std::int64_t>(word(letter)) : number(letter);
  }
  abi::Comm comm() const { return abi::passed<abi::Comm>(word('c')); }
};

void put_counts(TraceEntry& entry, const Arguments& its) {
  const bool in_place = its.has('b') && its.pointer('b') == abi::in_place;
  const char n = in_place ? 'N' : 'n', t = in_place ? 'T' : 't';
  if (its.has(n) && its.has(t)) put_elements(entry, its.count(n), abi::passed<abi::Type>(its.word(t)));
}

TraceMessage message_of(const Arguments& its, const TracedComm& comm, char peer, char tag) {
  TraceMessage message;
  const int rank = its.number(peer), number = its.number(tag);
  bool in_world = false;
  message.sent = peer == 'd';
  message.peer = rank == abi::any_source && peer == 's' ? report::any : report::no_rank;
  if (rank >= 0) message.peer = world_rank(its.comm(), comm, rank, in_world);
  message.of_world = in_world;
  message.tag = number == abi::any_tag ? report::any : number;
  return message;
}

void put_messages(TraceEntry& entry, const Arguments& its, const TracedComm& comm) {
  const auto add = [&](char peer, char tag) {
    entry.messages[static_cast<std::size_t>(entry.operations++)] = message_of(its, comm, peer, tag);
  };
  if (its.has('d')) add('d', 'g');
  if (its.has('s')) add('s', its.has('G') ? 'G' : 'g');
}

/// The kind of call for the trace. Calls on an intercommunicator cannot be compared, because it has no name that all
/// ranks know.
Together together_of(abi::Callers callers, const TracedComm* comm) {
  if (!comm || comm->inter) return Together::nobody;
  return callers == abi::Callers::alike      ? Together::alike
         : callers == abi::Callers::together ? Together::ranks
                                             : Together::nobody;
}

}  // namespace

Blocked::Blocked(const Blocking& function, const std::uintptr_t* words) : function_(function), words_(words) {
  const Arguments its{function, words};
  if (!trace_file() || (its.has('c') && !find(its.comm())) || function.callers == abi::Callers::starts) return;
  TraceEntry& entry = enter(together_of(function.callers, comm_), function.function);
  put_counts(entry, its);
  if (its.has('r')) entry.root = its.number('r') < 0 ? report::no_rank : its.number('r');
  if (comm_) put_messages(entry, its, *comm_);
  if (its.has('q')) describe_requests(entry, its.pointer('q'), 1);
  if (its.has('Q')) describe_requests(entry, its.pointer('Q'), its.number('k'));
  publish();
}

/// Remembers the request that the call has made. MPI_Isendrecv and its like are two messages: it remembers only their
/// function.
void Blocked::remember_request() const {
  const Arguments its{function_, words_};
  const abi::Request request = abi::request_at(its.pointer('R'), 0);
  if (request == abi::Request::null) return;
  TracedRequest started;
  if (comm_ && its.has('d') != its.has('s'))
    started.message = message_of(its, *comm_, its.has('d') ? 'd' : 's', 'g');
  else
    started.message.sent = -1;
  if (comm_) {
    started.comm = comm_->place;
  }
  put(started.message.function, function_.function);
  remember(request, started);
}

int Blocked::ended(int error) const {
  if (!trace_file() || error != abi::success) return Traced::ended(error);
  const Arguments its{function_, words_};
  if (its.has('R')) remember_request();
  abi::Refused unexpected;
  if (its.has('C'))
    if (const abi::Comm made = abi::comm_at(its.pointer('C')); made != abi::Comm::null)
      traced_comm(made, unexpected, call() > 0 ? origin_of(*comm_, call()) : 0);
  return error;
}

}  // namespace mpigraft::observe
