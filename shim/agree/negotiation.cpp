// SPDX-License-Identifier: MIT
#include "shim/agree/negotiation.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <memory>
#include <new>
#include <numeric>
#include <span>
#include <string>

#include "algorithms/catalogue.hpp"
#include "config/table/interface.hpp"
#include "shim/abi/binding.hpp"
#include "shim/abi/functions.hpp"
#include "shim/abi/library.hpp"
#include "shim/agree/nodes.hpp"
#include "shim/agree/price.hpp"
#include "shim/base/host.hpp"
#include "shim/base/log.hpp"
#include "shim/base/process.hpp"
#include "shim/base/version.hpp"
#include "shim/memory/device.hpp"
#include "shim/memory/pool.hpp"
#include "shim/wait/backoff.hpp"

namespace mpigraft::agree {
namespace {

/// A digest of everything in this process that must be equal on all ranks.
std::uint64_t decisive_digest() {
  std::uint64_t d = table::digest(base::version, sizeof base::version);
  for (const Listed& algorithm : listed) d = table::digest(algorithm.name.data(), algorithm.name.size(), d);
  return table::digest(base::settings().decisive.data(), base::settings().decisive.size(), d);
}

/// A rank's vote and, after the minimum over all ranks, the result.
struct Ballot {
  std::int64_t reason_and_rank = 0;         // the minimum is the gravest reason and its lowest rank
  std::int64_t digest = 0, not_digest = 0;  // the minimum of ~x is ~(the maximum of x)
  std::int64_t table = 0, not_table = 0;    // digest of the known table, 0 for none
  std::int64_t minus_strict = 0;
  std::int64_t minus_at_once = 0;
  std::int64_t report = 0;        // 1: asked for
  std::int64_t learns = 0;        // 1: the rank may learn
  std::int64_t affords = 0;       // 1: native calls have paid for shared memory, or it is at hand
  std::int64_t one_order = 0;     // 1: its blocking calls have an order, and all reach us
  std::int64_t minus_length = 0;  // rank 0: bytes of the table it can send

  void object(FallbackReason r, int rank) { reason_and_rank = -(static_cast<std::int64_t>(r) << 32) + rank; }
  FallbackReason reason() const { return static_cast<FallbackReason>(-(reason_and_rank >> 32)); }
  int objecting_rank() const { return static_cast<int>(reason_and_rank & 0xffffffff); }
  bool same_settings() const { return digest == ~not_digest; }
  bool same_table() const { return table != 0 && table == ~not_table; }
};
constexpr int ballot_words = sizeof(Ballot) / sizeof(std::int64_t);
static_assert(ballot_words <= most_words);

/// Fills in the nodes, the cache groups and the name from all ranks' facts, which it reorders.
void learn_nodes(Negotiated& agreed, std::span<base::HostFacts> facts) {
  std::snprintf(agreed.name.data(), agreed.name.size(), "mpigraft:%lld:%lld",
                static_cast<long long>(facts[0].world_rank), static_cast<long long>(facts[0].serial));
  const base::HostFacts& mine = facts[static_cast<std::size_t>(agreed.rank)];
  wait::learn_whether_oversubscribed(more_ranks_than_cores(mine, facts));
  find_cache_groups(facts, agreed.cache_groups);
  find_neighbours(mine, facts, agreed.neighbours);
  const NodeCounts counts = count_nodes(facts, agreed.nodes);
  if (agreed.nodes.empty()) agreed.neighbours.clear();
  agreed.oversubscribed = oversubscribed_anywhere(facts);
  agreed.node_count = counts.nodes;
  agreed.ranks_per_node = counts.ranks;
}

int world_rank() { return abi::comm_rank(abi::comm_world); }

base::HostFacts own_facts() {
  static std::atomic<std::int64_t> negotiations{0};
  base::HostFacts facts = base::host_facts();
  facts.world_rank = world_rank();
  facts.simulated_node = base::settings().nodes.of(facts.world_rank);
  if (const auto& cache_groups = base::settings().cache_groups; cache_groups.any())
    facts.cache = facts.memory = 1 + cache_groups.of(facts.world_rank);
  facts.oversubscribed = wait::oversubscribed();
  facts.serial = negotiations.fetch_add(1);
  return facts;
}

/// True if native calls take long, because ranks spin in MPI while others need their cores.
bool native_calls_take_long() {
  learn_from_launcher();
  if (!wait::oversubscribed()) return false;
  static const bool spins = table::waits_spin(abi::library_version());
  return spins;
}

bool wants_no_native_calls(const table::Settings& settings) {
  return std::ranges::any_of(settings.force, [](const auto& forced) { return !forced.empty(); }) ||
         std::ranges::any_of(settings.force_variant, [](const auto& forced) { return forced.has_value(); }) ||
         settings.strict || settings.verify > 0 || !settings.learn.empty();
}

/// This rank's vote. `table` gets the table that this rank knows or has read. May throw std::bad_alloc.
Ballot vote(Negotiated& agreed, std::shared_ptr<const AgreedTable>& table) {
  Ballot ballot;
  const table::Settings& settings = base::settings();
  agreed.nodes.reserve(static_cast<std::size_t>(agreed.size));
  agreed.cache_groups.reserve(static_cast<std::size_t>(agreed.size));
  agreed.neighbours.reserve(static_cast<std::size_t>(agreed.size));
  static_cast<table::DecisiveSettings&>(agreed) = settings;
  ballot.digest = static_cast<std::int64_t>(decisive_digest());
  ballot.report = settings.report.empty() ? 0 : 1;
  ballot.minus_strict = -settings.strict;
  ballot.minus_at_once = -(native_calls_take_long() || wants_no_native_calls(settings));
  const FallbackReason reason = !settings.enabled                    ? FallbackReason::site
                                : !settings.errors.empty()           ? FallbackReason::settings
                                : *abi::self_check() != 0            ? FallbackReason::library
                                : memory::Devices::cannot_be_asked() ? FallbackReason::gpu
                                : abi::called_from_mpi()             ? FallbackReason::later
                                                                     : FallbackReason::none;
  ballot.object(reason, agreed.rank);
  table = known_table();
  if (!table && agreed.rank == 0 && reason <= FallbackReason::later) table = load_table();
  ballot.table = table ? static_cast<std::int64_t>(table->digest) : 0;
  if (table && agreed.rank == 0) ballot.minus_length = -static_cast<std::int64_t>(table->packed.size());
  return ballot;
}

/// Warns of a reason on one rank; writes each text once in a process.
void warn(const Negotiated& agreed, const Ballot& outcome) {
  static std::atomic<bool> looked{false};
  if (world_rank() == 0 && !looked.exchange(true))
    for (const auto& problems : {table::unknown_variables(environ), base::settings().notes})
      for (const std::string& problem : problems) base::log_once(problem);
  if (agreed.fallback == FallbackReason::memory && agreed.rank == 0)
    base::log_once("a rank is out of memory: its communicators stay native");
  if (agreed.fallback == FallbackReason::settings && agreed.rank == outcome.objecting_rank())
    for (const std::string& error : base::settings().errors) base::log_once(error + " (every call stays native)");
  if (agreed.fallback == FallbackReason::library && agreed.rank == outcome.objecting_rank())
    base::log_once("this MPI does not keep to the binary interface that it promises (" +
                   std::string(abi::self_check()) + "): every call stays native");
  if ((agreed.fallback == FallbackReason::gpu || agreed.fallback == FallbackReason::site) && agreed.rank == 0)
    tell_reason(agreed.fallback);
  if (agreed.fallback == FallbackReason::differs && agreed.rank == 0)
    base::log_once(
        "MPIGRAFT_* settings or library versions differ between ranks: their communicators stay native; "
        "give all ranks the same");
}

/// A reason that needs no vote, because all ranks see it: an intercommunicator, or a process outside MPI_COMM_WORLD.
FallbackReason native_by_nature(abi::Comm comm) {
  if (abi::comm_is_inter(comm)) return FallbackReason::intercommunicator;
  if (comm == abi::comm_world) return FallbackReason::none;
  const int size = abi::comm_size(comm);
  std::array<int, 256> ranks, in_world;  // some ranks at a time, because nothing here may need memory
  for (int first = 0; first < size; first += static_cast<int>(ranks.size())) {
    const int n = std::min(size - first, static_cast<int>(ranks.size()));
    std::iota(ranks.begin(), ranks.end(), first);
    abi::comm_world_ranks(comm, n, ranks.data(), in_world.data());
    if (std::count(in_world.begin(), in_world.begin() + n, abi::undefined) > 0) return FallbackReason::other_world;
  }
  return FallbackReason::none;
}

/// Says why the table is unusable, or why the embedded table takes its place.
void tell_problem(const AgreedTable& table) {
  if (!table.error.empty()) base::log_once(table.error + "\n  (every call stays native)");
  if (!table.notice.empty()) base::log_once(table.notice);
}

/// True if the communicator is now set up. `affords`: all ranks do, this one because it `has_memory` or pays for it.
bool is_due(Contact& contact, bool affords, bool has_memory) {
  if (contact.due || contact.at_once) return true;
  if (contact.spent_ns < price_ns) return false;
  set_ups.saved_ns += contact.spent_ns - (affords && !has_memory ? price_of_memory_ns : 0);
  if (!affords) contact.spent_ns = 0;
  return affords;
}

enum class World { unknown, in_touch, in_touch_at_once };
std::atomic<World> world{World::unknown};  // after a vote of all ranks of MPI_COMM_WORLD

/// The phases of the negotiation. `facts` has room for all ranks; null: this rank has no memory.
void agree(Negotiated& agreed, Contact& contact, base::HostFacts* facts, bool may_learn) {
  std::shared_ptr<const AgreedTable> table;
  Ballot mine, outcome;
  const bool voted = base::ignore_bad_alloc([&] { mine = vote(agreed, table); });
  if (!voted || !facts) mine.object(FallbackReason::memory, agreed.rank);
  const bool has_memory = memory::Pool::has_free(agreed.size);
  mine.affords = has_memory || set_ups.saved_ns + contact.spent_ns >= price_of_memory_ns;
  mine.learns = may_learn;
  mine.one_order = abi::has_one_caller() && !abi::callers_differ;
  mine.not_digest = ~mine.digest;
  mine.not_table = ~mine.table;
  const bool answered = contact.in_touch ? abi::allreduce(&mine, &outcome, ballot_words, abi::type_int64, abi::op_min,
                                                          agreed.comm) == abi::success
                                         : first_vote(&mine, &outcome, ballot_words, agreed);
  if (!answered) {
    agreed.fallback = FallbackReason::later;
    return;
  }
  contact.in_touch = true;
  contact.at_once = agreed.at_once = outcome.minus_at_once != 0;
  if (outcome.one_order != 0 && agreed.size == abi::comm_size(abi::comm_world))
    world = agreed.at_once ? World::in_touch_at_once : World::in_touch;

  agreed.all_report = outcome.report != 0 && agreed.size == abi::comm_size(abi::comm_world);
  agreed.strict = outcome.minus_strict != 0;
  agreed.learns = outcome.learns != 0;
  agreed.fallback = outcome.reason();
  if (!outcome.same_settings() && agreed.fallback <= FallbackReason::later) agreed.fallback = FallbackReason::differs;
  if (agreed.fallback == FallbackReason::none && !is_due(contact, outcome.affords != 0, has_memory))
    agreed.fallback = FallbackReason::later;
  base::ignore_bad_alloc([&] { warn(agreed, outcome); });
  if (agreed.fallback != FallbackReason::none) return;

  const bool known = outcome.same_table();
  if (!known) table = share_table(table, -outcome.minus_length, agreed.comm);
  // All ranks may know the table from communicators of one rank, in which nothing is written.
  if (table && agreed.rank == 0 && agreed.size > 1 && (!known || world_rank() == 0))
    base::ignore_bad_alloc([&] { tell_problem(*table); });
  base::HostFacts my_facts = own_facts();
  my_facts.has_table = table != nullptr;
  abi::allgather(&my_facts, facts, sizeof my_facts, agreed.comm);
  const bool all_have_it = std::all_of(facts, facts + agreed.size, [](const auto& rank) { return rank.has_table; });
  agreed.fallback = !all_have_it            ? FallbackReason::memory
                    : !table->error.empty() ? FallbackReason::table
                                            : FallbackReason::none;
  if (agreed.fallback != FallbackReason::none) return;
  agreed.table = table;
  learn_nodes(agreed, {facts, static_cast<std::size_t>(agreed.size)});
}

/// Describes the communicator: MPIGRAFT_VERBOSE=1 only the first, 2 every one.
void tell(const Negotiated& agreed) {
  static std::atomic<bool> told{false};
  const int verbose = base::settings().verbose;
  if (verbose == 0 || (verbose == 1 && told.exchange(true))) return;
  const auto [least, most] = agreed.ranks_per_node;
  std::string per_node = std::to_string(least);
  if (most != least) per_node += " to " + std::to_string(most);
  if (!agreed.cache_groups.empty()) per_node += " in " + std::to_string(agreed.cache_groups.size()) + " cache groups";
  base::log(std::string(base::version) + ": communicator of " + std::to_string(agreed.size) + " ranks, " + per_node +
            " a node, " + (agreed.oversubscribed ? "more ranks than cores" : "a core for every rank") + ", table " +
            agreed.table->origin);
}

}  // namespace

void tell_reason(FallbackReason reason) {
  if (base::settings().verbose > 0)
    base::ignore_bad_alloc(
        [&] { base::log_once(std::string(words_of(reason)) + ": further communicators stay native"); });
}

Negotiated::Negotiated(abi::Comm user_comm, FallbackReason otherwise)
    : comm(user_comm),
      rank(abi::comm_rank(user_comm)),
      size(abi::comm_size(user_comm)),
      fallback(native_by_nature(user_comm)) {
  if (fallback == FallbackReason::none) fallback = otherwise;
}

void learn_from_launcher() {
  [[maybe_unused]] static const bool learned = base::ignore_bad_alloc([] {
    const base::HostFacts mine = base::host_facts();
    wait::learn_whether_oversubscribed(more_ranks_than_cores(mine, {&mine, 1}));
  });
}

Contact contact_in_world() {
  const World known = world;
  return {.in_touch = known != World::unknown, .due = false, .at_once = known == World::in_touch_at_once};
}

Negotiated negotiate(abi::Comm comm, Contact& contact, bool has_memory, bool may_learn) {
  Negotiated agreed(comm);
  if (agreed.fallback != FallbackReason::none) return agreed;
  const std::unique_ptr<base::HostFacts[]> facts(
      has_memory ? new (std::nothrow) base::HostFacts[static_cast<std::size_t>(agreed.size)] : nullptr);
  agree(agreed, contact, facts.get(), may_learn);
  if (agreed.fallback != FallbackReason::later) abi::make_own_comm();
  if (has_memory && agreed.rank == 0 && agreed.fallback == FallbackReason::none)
    base::ignore_bad_alloc([&] { tell(agreed); });
  return agreed;
}

}  // namespace mpigraft::agree
