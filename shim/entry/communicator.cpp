// SPDX-License-Identifier: MIT
#include "shim/entry/communicator.hpp"

#include <new>

#include "shim/abi/arguments.hpp"
#include "shim/abi/constants.hpp"
#include "shim/abi/functions.hpp"
#include "shim/agree/exchange.hpp"
#include "shim/observe/gather.hpp"
#include "shim/observe/report.hpp"
#include "shim/observe/trace.hpp"

namespace mpigraft::entry {
namespace {

std::atomic<bool> finalizing{false};

/// The attribute of a communicator is its state or, during its native first calls, their number. A number is stored in
/// the pointer itself, so no rank can lose count for lack of memory.
void* attribute_of(int young_calls) {
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(young_calls) * 2 + 1);
}
bool is_young(void* attribute) { return reinterpret_cast<std::uintptr_t>(attribute) % 2 != 0; }
int young_calls(void* attribute) { return static_cast<int>(reinterpret_cast<std::uintptr_t>(attribute) / 2); }
static_assert(alignof(Communicator) % 2 == 0);

/// Does local work only, because ranks may free communicators in different orders. MPI calls it also for a number that
/// the next one replaces, and for null if set_up() had no memory.
void delete_communicator(void* attribute) {
  if (is_young(attribute)) return;
  ++generation;
  auto* const communicator = static_cast<Communicator*>(attribute);
  if (communicator && !communicator->in_flight.keeps_communicator()) delete communicator;
}

/// The private communicator of MPI_COMM_WORLD; null on all ranks if none was made.
abi::Comm private_world() {
  const Communicator* const world = communicator_of(abi::comm_world);
  return world ? world->traffic.comm : abi::Comm::null;
}

/// MPI calls it when MPI_Finalize begins, because that first deletes the attributes of MPI_COMM_SELF, whatever language
/// called it (MPI-4.0, 11.2.4).
void at_finalize(void*) {
  finalizing = true;
  ++generation;
  observe::trace_end();
  InFlight::bury();
  observe::write_report(private_world());
  learn::write_learned(abi::comm_rank(abi::comm_world) == 0);
  abi::forget_probe();
}

/// Returns a keyval that is made once. Holds no lock while it calls MPI: a thread that loses a race frees its own.
abi::Keyval keyval(std::atomic<abi::Keyval>& made, abi::AtDelete at_delete) {
  abi::Keyval key = made.load();
  if (key != abi::Keyval::null) return key;
  abi::Keyval mine = abi::comm_create_keyval(at_delete);
  if (made.compare_exchange_strong(key, mine)) return mine;
  abi::comm_free_keyval(mine);
  return key;
}

abi::Keyval communicator_key() {
  static std::atomic<abi::Keyval> made{abi::Keyval::null};
  return keyval(made, delete_communicator);
}

/// A new learner; null if learning is not wanted, there are enough learners, or there is no memory.
std::unique_ptr<learn::Learner> new_learner() {
  if (!learn::asks_to_learn() || learn::Learner::in_process() >= learn::most_learners) return nullptr;
  return std::unique_ptr<learn::Learner>(new (std::nothrow) learn::Learner);
}

/// Makes a communicator's state by the exchange. Without memory for it this rank votes for native, and the attribute is
/// null.
Communicator* set_up(abi::Comm comm) {
  const observe::Traced traced(comm);
  auto* const communicator = new (std::nothrow) Communicator(comm);
  if (!communicator) agree::exchange(comm, false);
  if (communicator && communicator->agreed.all_report) observe::expect_all_to_gather();
  abi::comm_set_attr(comm, communicator_key(), communicator);
  return communicator;
}

/// Counts a call on a communicator without state, after `calls_before` others.
Known early_call(abi::Comm comm, int calls_before) {
  if (finalizing) return {};
  watch_finalize();
  if (comm == abi::comm_world || calls_before == table::native_first_calls) return {.communicator = set_up(comm)};
  abi::comm_set_attr(comm, communicator_key(), attribute_of(calls_before + 1));
  return {.young_call = calls_before + 1};
}

/// The attribute of a handle that the program passed, which may be invalid.
struct Attribute {
  bool readable = false, found = false;
  void* value = nullptr;
  abi::Refused refused = {};
};

Attribute attribute_now(abi::Comm comm) {
  static std::atomic<bool> up{false};
  if (!is_communicator(comm)) return {};
  if (!up.load(std::memory_order_relaxed)) {
    if (!abi::is_up()) return {};
    up = true;
  }
  Attribute its;
  its.refused = abi::comm_get_attr(comm, communicator_key(), its.value, its.found);
  its.readable = !its.refused;
  return its;
}

}  // namespace

Communicator::Communicator(abi::Comm comm)
    : learner(new_learner()), agreed(agree::exchange(comm, true, learner != nullptr)), traffic(agreed) {
  if (!agreed.learns) learner.reset();
}

void watch_finalize() {
  static std::atomic<bool> watched{false};
  static std::atomic<abi::Keyval> made{abi::Keyval::null};
  if (!watched.load(std::memory_order_relaxed) && !watched.exchange(true))
    abi::comm_set_attr(abi::comm_self, keyval(made, at_finalize), nullptr);
}

Known count_call(abi::Comm comm) {
  const Attribute its = attribute_now(comm);
  if (!its.readable) return {.refused = its.refused};
  if (!its.found || is_young(its.value)) return early_call(comm, its.found ? young_calls(its.value) : 0);
  return {.communicator = static_cast<Communicator*>(its.value)};
}

Known known_communicator(abi::Comm comm) {
  const Attribute its = attribute_now(comm);
  if (!its.found || is_young(its.value) || finalizing) return {.refused = its.refused};
  return {.communicator = static_cast<Communicator*>(its.value)};
}

void uncount_call(abi::Comm comm, int n) { abi::comm_set_attr(comm, communicator_key(), attribute_of(n - 1)); }

Communicator* communicator_of(abi::Comm comm) {
  void* attribute = nullptr;
  bool found = false;
  abi::comm_get_attr(comm, communicator_key(), attribute, found);
  return found && !is_young(attribute) ? static_cast<Communicator*>(attribute) : nullptr;
}

}  // namespace mpigraft::entry
