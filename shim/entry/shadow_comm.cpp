// SPDX-License-Identifier: MIT
#include "shim/entry/shadow_comm.hpp"

#include <atomic>
#include <new>

#include "algorithms/patterns/nodes.hpp"
#include "shim/abi/arguments.hpp"
#include "shim/abi/pmpi.hpp"
#include "shim/agree/exchange.hpp"
#include "shim/base/log.hpp"
#include "shim/observe/report.hpp"
#include "shim/observe/trace.hpp"

namespace mpigraft {
namespace {

constexpr std::size_t always_kept = std::size_t{4} << 20;

std::atomic<bool> finalizing{false};

/// What a thread found last: programs stay on a communicator, and MPI's attributes take it longer than a small message.
struct Found {
  MPI_Comm comm = MPI_COMM_NULL;
  std::uint64_t gone = UINT64_MAX;  // `shadows_gone` at that time; nothing has been found yet
  ShadowComm* shadow = nullptr;
};
[[gnu::tls_model("initial-exec")]] constinit thread_local Found last_found;

/// The attribute of a communicator is its state or, during its native first calls, their number: it needs no memory of
/// ours, so that no rank loses count for want of it.
void* attribute_of(int young_calls) {
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(young_calls) * 2 + 1);
}
bool is_young(void* attribute) { return reinterpret_cast<std::uintptr_t>(attribute) % 2 != 0; }
int young_calls(void* attribute) { return static_cast<int>(reinterpret_cast<std::uintptr_t>(attribute) / 2); }
static_assert(alignof(ShadowComm) % 2 == 0);

/// Local work only: communicators may be freed in different order on different ranks. MPI calls it for numbers, too,
/// when the next one takes their place.
int delete_shadow(MPI_Comm, int, void* attribute, void*) {
  if (is_young(attribute)) return MPI_SUCCESS;
  ++shadows_gone;
  delete static_cast<ShadowComm*>(attribute);
  return MPI_SUCCESS;
}

/// MPI_Finalize deletes the attributes of MPI_COMM_SELF first, whatever language called it.
int at_finalize(MPI_Comm, int, void*, void*) {
  finalizing = true;
  ++shadows_gone;
  trace_end();
  write_report();
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

int shadow_key() {
  static std::atomic<int> made{MPI_KEYVAL_INVALID};
  return keyval(made, delete_shadow);
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
ShadowComm* set_up(MPI_Comm comm, int calls_before) {
  auto* const shadow = new (std::nothrow) ShadowComm(comm);
  if (shadow) shadow->traced = calls_before;
  const Traced traced(comm, calls_before);
  exchange(comm, shadow);
  pmpi.Comm_set_attr(comm, shadow_key(), shadow);
  return shadow;
}

/// A call on a communicator without state, after `calls_before` others.
Known early_call(MPI_Comm comm, int calls_before) {
  if (finalizing) return {};
  watch_finalize();
  if (comm == MPI_COMM_WORLD || calls_before == native_first_calls) return {.shadow = set_up(comm, calls_before)};
  pmpi.Comm_set_attr(comm, shadow_key(), attribute_of(calls_before + 1));
  return {.young_call = calls_before + 1};
}

/// The channel of a node whose ranks can all have it; else messages go on through MPI.
void open_channel(ShadowComm& shadow) {
  if (!shadow.shares || shadow.nodes.empty()) return;
  const Nodes nodes(shadow.size, {.nodes = shadow.nodes});
  const int i = nodes.of(shadow.rank), first = nodes.first(i);
  if (nodes.size(i) == 1 || nodes.size(i) > max_sharing_ranks) return;
  const NodeRanks node{.comm = shadow.traffic, .first = first, .size = nodes.size(i), .own = shadow.rank - first};
  shadow.channel.emplace(node, shadow.shifted_types);
  if (!shadow.channel->usable()) return shadow.channel.reset();
  if (nodes.count() == 1) shadow.pages.emplace(shadow.channel->segment(), node, shadow.shifted_types);
}

}  // namespace

char* Scratch::reserve(std::size_t bytes) {
  if (bytes > size_) {
    release();
    memory_ = static_cast<char*>(std::aligned_alloc(64, (bytes + 63) / 64 * 64));
    if (memory_) in_process_ += size_ = bytes;
  }
  return memory_;
}

void Scratch::trim(std::int64_t bytes_of_node, std::int64_t ranks_of_node) {
  if (size_ > always_kept && in_process_ > static_cast<std::size_t>(bytes_of_node / ranks_of_node)) release();
}

void Scratch::release() {
  std::free(memory_);
  in_process_ -= size_;
  memory_ = nullptr;
  size_ = 0;
}

ShadowComm::ShadowComm(MPI_Comm user_comm) : user(user_comm) {
  pmpi.Comm_rank(user, &rank);
  pmpi.Comm_size(user, &size);
}

ShadowComm::~ShadowComm() {
  if (traffic != MPI_COMM_NULL) pmpi.Comm_free(&traffic);
}

Known count_call(MPI_Comm comm) {
  static std::atomic<bool> up{false};
  const std::uint64_t gone = shadows_gone.load(std::memory_order_acquire);
  if (comm == last_found.comm && gone == last_found.gone) return {.shadow = last_found.shadow};
  if (!is_communicator(comm)) return {};
  if (!up.load(std::memory_order_relaxed)) {
    if (!mpi_is_up()) return {};
    up = true;
  }
  void* attribute = nullptr;
  int found = 0;
  if (const int error = pmpi.Comm_get_attr(comm, shadow_key(), &attribute, &found); error != MPI_SUCCESS)
    return {.error = error};
  if (!found || is_young(attribute)) return early_call(comm, found ? young_calls(attribute) : 0);
  auto* const shadow = static_cast<ShadowComm*>(attribute);
  if (shadow && !finalizing) last_found = {.comm = comm, .gone = gone, .shadow = shadow};
  return {.shadow = shadow};
}

void uncount_call(MPI_Comm comm, int n) { pmpi.Comm_set_attr(comm, shadow_key(), attribute_of(n - 1)); }

ShadowComm* shadow_of(MPI_Comm comm) {
  void* attribute = nullptr;
  int found = 0;
  pmpi.Comm_get_attr(comm, shadow_key(), &attribute, &found);
  return found && !is_young(attribute) ? static_cast<ShadowComm*>(attribute) : nullptr;
}

MPI_Comm private_world() {
  const ShadowComm* const shadow = shadow_of(MPI_COMM_WORLD);
  return shadow ? shadow->traffic : MPI_COMM_NULL;
}

bool ensure_traffic(ShadowComm& shadow) {
  if (shadow.traffic != MPI_COMM_NULL || shadow.refusal != Refusal::none) return shadow.refusal == Refusal::none;
  // Not MPI_Comm_dup, which runs the program's attribute callbacks, nor MPI_Comm_create, which aborts when
  // context ids are used up: this returns MPI_COMM_NULL then.
  MPI_Group group = MPI_GROUP_NULL;
  pmpi.Comm_group(shadow.user, &group);
  pmpi.Comm_create_from_group(group, shadow.traffic_tag, MPI_INFO_NULL, MPI_ERRORS_RETURN, &shadow.traffic);
  pmpi.Group_free(&group);
  int mine = shadow.traffic != MPI_COMM_NULL, all = 0;
  pmpi.Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, shadow.user);
  if (all) {
    open_channel(shadow);
    return true;
  }
  shadow.refusal = Refusal::context;
  shadow.last_calls.forget();
  shadow.claim.release();
  if (shadow.rank == 0) tell_refusal(shadow.refusal);
  return false;
}

}  // namespace mpigraft
