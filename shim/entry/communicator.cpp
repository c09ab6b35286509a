// SPDX-License-Identifier: MIT
#include "shim/entry/communicator.hpp"

#include <new>

#include "shim/abi/arguments.hpp"
#include "shim/abi/pmpi.hpp"
#include "shim/agree/exchange.hpp"
#include "shim/observe/gather.hpp"
#include "shim/observe/report.hpp"
#include "shim/observe/trace.hpp"

namespace mpigraft {
namespace {

std::atomic<bool> finalizing{false};

/// The attribute of a communicator is its state or, during its native first calls, their number: it needs no memory of
/// ours, so that no rank loses count for want of it.
void* attribute_of(int young_calls) {
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(young_calls) * 2 + 1);
}
bool is_young(void* attribute) { return reinterpret_cast<std::uintptr_t>(attribute) % 2 != 0; }
int young_calls(void* attribute) { return static_cast<int>(reinterpret_cast<std::uintptr_t>(attribute) / 2); }
static_assert(alignof(Communicator) % 2 == 0);

/// Local work only: communicators may be freed in different order on different ranks. MPI calls it for numbers, too,
/// when the next one takes their place.
int delete_communicator(MPI_Comm, int, void* attribute, void*) {
  if (is_young(attribute)) return MPI_SUCCESS;
  ++generation;
  delete static_cast<Communicator*>(attribute);
  return MPI_SUCCESS;
}

/// The private communicator of MPI_COMM_WORLD, or MPI_COMM_NULL where none was made; equal on all ranks.
MPI_Comm private_world() {
  const Communicator* const world = communicator_of(MPI_COMM_WORLD);
  return world ? world->traffic.comm : MPI_COMM_NULL;
}

/// MPI_Finalize deletes the attributes of MPI_COMM_SELF first, whatever language called it.
int at_finalize(MPI_Comm, int, void*, void*) {
  finalizing = true;
  ++generation;
  trace_end();
  write_report(private_world());
  forget_probe();
  return MPI_SUCCESS;
}

/// A keyval made once, without a lock across MPI: the loser of a race frees its own.
int keyval(std::atomic<int>& made, MPI_Comm_delete_attr_function* at_delete) {
  int key = made.load();
  if (key != MPI_KEYVAL_INVALID) return key;
  int mine = MPI_KEYVAL_INVALID;
  pmpi.Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_delete, &mine, nullptr);
  if (made.compare_exchange_strong(key, mine)) return mine;
  pmpi.Comm_free_keyval(&mine);
  return key;
}

int communicator_key() {
  static std::atomic<int> made{MPI_KEYVAL_INVALID};
  return keyval(made, delete_communicator);
}

void watch_finalize() {
  static std::atomic<bool> watched{false};
  static std::atomic<int> made{MPI_KEYVAL_INVALID};
  if (!watched.load(std::memory_order_relaxed) && !watched.exchange(true))
    pmpi.Comm_set_attr(MPI_COMM_SELF, keyval(made, at_finalize), nullptr);
}

bool mpi_is_up() {
  int initialized = 0, finalized = 1;
  pmpi.Initialized(&initialized);
  pmpi.Finalized(&finalized);
  return initialized && !finalized;
}

bool is_communicator(MPI_Comm comm) {
  const unsigned handle = static_cast<unsigned>(comm);
  return (handle >> 26 & 0xf) == 1 && handle >> 30 != 0;  // MPICH: object type in bits 26-29; kind 0 is null
}

/// A null attribute says: this rank had no memory for its state, and voted for native.
Communicator* set_up(MPI_Comm comm, int calls_before) {
  const Traced traced(comm, calls_before);
  auto* const communicator = new (std::nothrow) Communicator(comm, calls_before);
  if (!communicator) exchange(comm, false);
  if (communicator && communicator->agreed.all_report) expect_all_to_gather();
  pmpi.Comm_set_attr(comm, communicator_key(), communicator);
  return communicator;
}

/// A call on a communicator without state, after `calls_before` others.
Known early_call(MPI_Comm comm, int calls_before) {
  if (finalizing) return {};
  watch_finalize();
  if (comm == MPI_COMM_WORLD || calls_before == native_first_calls) return {.communicator = set_up(comm, calls_before)};
  pmpi.Comm_set_attr(comm, communicator_key(), attribute_of(calls_before + 1));
  return {.young_call = calls_before + 1};
}

}  // namespace

Communicator::Communicator(MPI_Comm comm, int calls_before)
    : agreed(exchange(comm, true)), traffic(agreed), seen{.calls = calls_before} {}

Known count_call(MPI_Comm comm) {
  static std::atomic<bool> up{false};
  if (!is_communicator(comm)) return {};
  if (!up.load(std::memory_order_relaxed)) {
    if (!mpi_is_up()) return {};
    up = true;
  }
  void* attribute = nullptr;
  int found = 0;
  if (const int error = pmpi.Comm_get_attr(comm, communicator_key(), &attribute, &found); error != MPI_SUCCESS)
    return {.error = error};
  if (!found || is_young(attribute)) return early_call(comm, found ? young_calls(attribute) : 0);
  return {.communicator = static_cast<Communicator*>(attribute)};
}

void uncount_call(MPI_Comm comm, int n) { pmpi.Comm_set_attr(comm, communicator_key(), attribute_of(n - 1)); }

Communicator* communicator_of(MPI_Comm comm) {
  void* attribute = nullptr;
  int found = 0;
  pmpi.Comm_get_attr(comm, communicator_key(), &attribute, &found);
  return found && !is_young(attribute) ? static_cast<Communicator*>(attribute) : nullptr;
}

}  // namespace mpigraft
