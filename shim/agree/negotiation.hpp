// SPDX-License-Identifier: MIT
// The negotiation of a communicator, after its first calls, which are native. All ranks take part by native collectives
// on the program's communicator, except those of processes that mpigraft is not in, or that disabled it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "config/table/settings.hpp"
#include "shim/abi/handles.hpp"
#include "shim/agree/agreed_table.hpp"
#include "shim/agree/fallback_reason.hpp"

namespace mpigraft::agree {

/// The facts on which the ranks of a communicator have agreed. They never change, and all but `comm` and `rank` are
/// equal on all ranks.
struct Negotiated : table::DecisiveSettings {
  /// Knows the communicator and this rank's place in it; nothing is agreed on yet. Calls stay native by the
  /// communicator's nature, or else for the other reason.
  explicit Negotiated(abi::Comm user_comm, FallbackReason otherwise = FallbackReason::none);

  abi::Comm comm;  // the program's communicator
  int rank = 0;
  int size = 0;

  FallbackReason fallback;
  bool strict = false;      // true if MPIGRAFT_FORCE is strict on any rank
  bool all_report = false;  // all ranks of MPI_COMM_WORLD took part, and all want a report
  bool learns = false;      // every rank may learn on this communicator
  bool at_once = false;     // duplicates need not wait until native calls have taken long
  std::shared_ptr<const AgreedTable> table;
  std::int64_t node_count = 1;
  table::Range ranks_per_node{1, 1};
  bool oversubscribed = false;    // ranks outnumber cores on any node
  std::vector<int> nodes;         // first rank of each node; empty unless the ranks of every node are consecutive
  std::vector<int> neighbours;    // of this node, in order: their ranks in MPI_COMM_WORLD; empty as `nodes`
  std::vector<int> cache_groups;  // first rank of each of a single node; empty if find_cache_groups() finds none
  std::array<char, 48> name{};    // of the private communicator; unique in the job
};

/// The facts that the ranks of a communicator know of each other before they negotiate; equal on all of them.
struct Contact {
  bool in_touch;              // all are known to take part; set by the negotiation
  bool due;                   // the set-up is due, whatever it costs
  std::int64_t spent_ns = 0;  // estimated time of native calls; the negotiation sets it to 0 to wait for as much again
  bool at_once = false;       // set by the negotiation: native calls take long, or a rank wants none
};

/// Learns from the launcher, once, whether the node is oversubscribed, because the ranks have not exchanged facts yet.
void learn_from_launcher();

/// The contact of all ranks of MPI_COMM_WORLD: they are in touch once all have voted together. Equal on all ranks in a
/// blocking call, because such calls come in one order (MPI-4.0, 6.14): never in touch where a rank has several
/// callers.
Contact contact_in_world();

/// Makes the ranks of the communicator agree. Collective. The reason is `later` if it is not due, if a rank is in a
/// callback of MPI, where not all can be made, or if ranks did not answer in time. `has_memory`: this rank has memory
/// for the communicator's state; one that has none votes for native, and so all calls stay native. `may_learn`: it has
/// memory for learning, too. Never throws.
Negotiated negotiate(abi::Comm comm, Contact& contact, bool has_memory, bool may_learn = false);

/// Most words of a vote.
inline constexpr int most_words = 16;

/// Finds the minimum of each 64-bit word over the ranks of a communicator of which it is not known whether all answer:
/// in some processes mpigraft may be disabled or missing. Returns true on all ranks or on none. It returns false if a
/// rank has waited longer than MPIGRAFT_ANSWER seconds for the others, after which one rank of a node says so. A rank
/// that comes late learns that, and finds false, too. Nonblocking collectives are used, because they do not match the
/// blocking ones of a process that goes on without us.
bool first_vote(const void* mine, void* least, int words, const Negotiated& agreed);

/// With MPIGRAFT_VERBOSE, says once in a process that further communicators stay native for this reason.
void tell_reason(FallbackReason reason);

}  // namespace mpigraft::agree
