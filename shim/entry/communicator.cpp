// SPDX-License-Identifier: MIT
#include "shim/entry/communicator.hpp"

#include <cstring>
#include <new>

#include "shim/abi/arguments.hpp"
#include "shim/abi/functions.hpp"
#include "shim/abi/objects.hpp"
#include "shim/agree/negotiation.hpp"
#include "shim/agree/price.hpp"
#include "shim/base/log.hpp"
#include "shim/base/process.hpp"
#include "shim/observe/report.hpp"

namespace mpigraft::entry {
namespace {

/// The private communicator of MPI_COMM_WORLD; null on all ranks if none was made.
abi::Comm private_world() {
  const Communicator* const world = communicator_of(abi::comm_world);
  return world ? world->transport.comm : abi::Comm::null;
}

/// MPI calls it when MPI_Finalize begins, because that first deletes the attributes of MPI_COMM_SELF, whatever language
/// called it (MPI-4.0, 11.2.4). The program's delete functions may make collectives before and after it, so all that
/// collectives need stays.
void at_finalize(abi::Comm, void*) {
  expect_end();
  ++generation;
  InFlight::bury();
  observe::write_report(private_world());
  learn::write_learned(abi::comm_rank(abi::comm_world) == 0);
}

/// A new learner; null if learning is not wanted, there are enough learners, or there is no memory.
std::unique_ptr<learn::Learner> new_learner() {
  if (!learn::asks_to_learn() || learn::Learner::in_process() >= learn::most_learners) return nullptr;
  return std::unique_ptr<learn::Learner>(new (std::nothrow) learn::Learner);
}

/// How many ranks can be set up together. The groups of an intercommunicator stay native.
int ranks_to_set_up(abi::Comm comm) { return abi::comm_is_inter(comm) ? 1 : abi::comm_size(comm); }

/// Counts a communicator that waits to be set up, or no longer waits, at its rank 0.
void count_waiting(abi::Comm comm, int more) {
  if (abi::comm_rank(comm) == 0) agree::set_ups.waiting += more;
}

void count_set_up(abi::Comm comm, const WarmUp& before, agree::FallbackReason reason) {
  if (before.calls > 0) count_waiting(comm, -1);
  if (reason != agree::FallbackReason::none) return;
  ++agree::set_ups.joined;
  if (abi::comm_rank(comm) == 0) ++agree::set_ups.communicators;
}

/// Makes a communicator's state by the negotiation. Without memory for it this rank votes for native, and the attribute
/// is null. Returns no state while it is put off.
Attribute set_up(abi::Comm comm, WarmUp warm_up, bool at_once) {
  const agree::TimedSetUp timed;
  InFlight::bury();
  agree::Contact contact{
      .in_touch = warm_up.in_touch != 0, .due = at_once || comm == abi::comm_world, .spent_ns = warm_up.spent_ns};
  std::unique_ptr<Communicator> communicator(new (std::nothrow) Communicator(comm, contact));
  const agree::FallbackReason reason =
      communicator ? communicator->agreed.fallback : agree::negotiate(comm, contact, false).fallback;
  if (reason == agree::FallbackReason::later) {
    if (contact.in_touch && !warm_up.in_touch)
      warm_up.in_touch = 1, warm_up.at_once = contact.at_once;
    else if (contact.spent_ns == warm_up.spent_ns && warm_up.tries < most_tries)
      ++warm_up.tries;
    warm_up.spent_ns = contact.spent_ns;
    set_attribute(comm, warm_up);
    return {.is_warming_up = true};
  }
  count_set_up(comm, warm_up, reason);
  if (communicator && communicator->agreed.all_report) observe::expect_all_to_gather();
  set_attribute(comm, communicator.get());
  return {.communicator = communicator.release()};
}

/// Tells how to get what settings ask of the library that watches, unless that comes before this one.
void tell_where_to_find_watch() {
  if (!table::ask_to_watch(base::settings()) || abi::comm_rank(abi::comm_world) != 0) return;
  const char* const first = abi::object_named("libmpigraft").file;
  if (first && std::strstr(first, "libmpigraft-watch")) return;
  base::log_once(
      "MPIGRAFT_TIMEOUT, MPIGRAFT_CHECK, MPIGRAFT_TRACE and MPIGRAFT_SIGNAL need libmpigraft-watch.so before this "
      "library: start the program with `mpigraft run`, or preload both in that order (libmpigraft(7), HANGS)");
}

/// Spares a warming_up communicator the first vote if its ranks know of each other that they would take part; one with
/// ranks outside MPI_COMM_WORLD has none anyway. Returns true if it then keeps warming up.
bool learns_of_touch(abi::Comm comm, Attribute& attribute) {
  WarmUp& warm_up = attribute.warming_up ? attribute.warming_up->warm_up : attribute.warm_up;
  if (warm_up.in_touch || comm == abi::comm_world) return false;
  const agree::Contact contact = agree::contact_in_world();
  if (!contact.in_touch) return false;
  warm_up.in_touch = 1, warm_up.at_once = contact.at_once;
  attribute.warm_up = warm_up;
  return keeps_warming_up(warm_up, false);
}

}  // namespace

Communicator::Communicator(abi::Comm comm, agree::Contact& contact)
    : learner(new_learner()), agreed(agree::negotiate(comm, contact, true, learner != nullptr)) {
  if (!agreed.learns) learner.reset();
}

void watch_finalize() {
  static std::atomic<bool> watched{false};
  static constinit abi::Key key({at_finalize});
  if (watched.load(std::memory_order_relaxed) || watched.exchange(true)) return;
  abi::comm_set_attr(abi::comm_self, key, nullptr);
  base::ignore_bad_alloc(tell_where_to_find_watch);
}

bool keeps_warming_up(const WarmUp& warm_up, bool is_world) {
  if (!is_world && warm_up.in_touch && !warm_up.at_once && warm_up.spent_ns < agree::price_ns) return true;
  const std::uint64_t first =
      is_world ? 1 : std::uint64_t{table::native_first_calls} + 1;       // the first call that may set it up
  return std::uint64_t{warm_up.calls} + 1 < first << 4 * warm_up.tries;  // after `tries` that were put off
}

bool is_refused(const abi::RawCall& raw, int size) {
  if (!abi::called_from_mpi()) abi::make_own_comm();  // which inspect() may ask
  abi::Call call(raw);
  return !abi::inspect(call, abi::comm_rank(abi::passed<abi::Comm>(raw.comm)), size);
}

Attribute attribute_for_call(const abi::RawCall& raw, bool at_once) {
  const auto comm = abi::passed<abi::Comm>(raw.comm);
  Attribute attribute = attribute_of(comm);
  if (!attribute.readable || (attribute.found && !attribute.is_warming_up)) return attribute;
  watch_finalize();
  const int size = attribute.warming_up ? attribute.warming_up->size : ranks_to_set_up(comm);
  const bool is_due = at_once || !keeps_warming_up(attribute.warm_up, comm == abi::comm_world);
  const bool is_spared = is_due && !at_once && size > 1 && learns_of_touch(comm, attribute);
  attribute.is_warming_up = true;
  if (size > 1 && is_due && !is_spared) {
    if (is_refused(raw, size)) return attribute;
    return set_up(comm, attribute.warm_up, at_once);
  }
  if (attribute.warming_up) return attribute;
  if (size > 1 && attribute.warm_up.calls == 0) count_waiting(comm, 1);
  attribute.warming_up = keep(comm, attribute.warm_up, size);
  return attribute;
}

void count_native_call(abi::Comm comm, const abi::RawCall& raw) {
  Attribute attribute = attribute_of(comm);
  if (!attribute.readable || (attribute.found && !attribute.is_warming_up)) return;
  const int size = ranks_to_set_up(comm);
  if (size == 1) return;
  WarmUp& warm_up = attribute.warming_up ? attribute.warming_up->warm_up : attribute.warm_up;
  warm_up.add(abi::estimated_native_ns(raw, size));
  if (!attribute.warming_up) set_attribute(comm, warm_up);
}

Communicator* communicator_of(abi::Comm comm) { return attribute_of(comm).communicator; }

}  // namespace mpigraft::entry
