// SPDX-License-Identifier: MIT
// What mpigraft keeps for a communicator of the program, as an attribute on it.
#pragma once

#include <mpi.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <vector>

#include "config/report/trace.hpp"
#include "shim/abi/packed.hpp"
#include "shim/agree/agreed_table.hpp"
#include "shim/agree/decision.hpp"
#include "shim/memory/channel.hpp"
#include "shim/memory/pages.hpp"
#include "shim/observe/composition.hpp"

namespace mpigraft {

/// Scratch memory that one communicator's calls reuse: fresh pages of many megabytes cost more than the messages.
class Scratch {
 public:
  Scratch() = default;
  ~Scratch() { release(); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  /// At least `bytes`, valid until the next call; nullptr where memory is short.
  char* reserve(std::size_t bytes);
  /// Gives large memory back after a call where all communicators of this process together keep more than their part of
  /// what a node's ranks may.
  void trim(std::int64_t bytes_of_node, std::int64_t ranks_of_node);

 private:
  void release();

  static inline std::atomic<std::size_t> in_process_{0};
  char* memory_ = nullptr;
  std::size_t size_ = 0;
};

/// Why no call on a communicator is grafted. The order is that of importance when ranks differ.
enum class Refusal {
  none,
  disabled,
  intercommunicator,
  other_world,
  settings,
  table,
  differs,
  many,
  context,
  memory,
  young
};

/// With MPIGRAFT_VERBOSE: that no more communicators are grafted; every text once in a process.
void tell_refusal(Refusal refusal);

/// Of about 2000 context ids in a job mpigraft takes at most so many, the rest is the program's.
inline constexpr int max_private_communicators = 512;

/// A communicator's claim on a context id.
class Claim {
 public:
  Claim() = default;
  ~Claim() { release(); }
  Claim(const Claim&) = delete;
  Claim& operator=(const Claim&) = delete;

  void take() { taken_ = true, ++taken_in_process; }
  void release() {
    if (taken_) --taken_in_process;
    taken_ = false;
  }
  static int in_process() { return taken_in_process; }

 private:
  static inline std::atomic<int> taken_in_process{0};
  bool taken_ = false;
};

/// The agreed facts are equal on all ranks of the communicator.
struct ShadowComm {
  explicit ShadowComm(MPI_Comm user_comm);
  ~ShadowComm();
  ShadowComm(const ShadowComm&) = delete;
  ShadowComm& operator=(const ShadowComm&) = delete;

  const MPI_Comm user;
  int rank = 0;
  int size = 0;

  // agreed in the exchange
  Refusal refusal = Refusal::none;
  bool strict = false;  // any rank's MPIGRAFT_STRICT
  bool float_native = false;
  bool shares = false;      // messages inside a node go through memory, if there is a segment
  std::int64_t verify = 0;  // every so many grafted calls
  std::array<std::optional<Choice>, collective_count> force;  // by Collective
  std::shared_ptr<const AgreedTable> table;
  std::int64_t node_count = 1;
  Range ranks_per_node{1, 1};
  std::vector<int> nodes;     // the first rank of each; empty where the ranks of any are not consecutive
  char traffic_tag[48] = "";  // names the private communicator, unique in the job

  LastCalls last_calls;
  LastScan last_scan;  // with a report

  // with MPIGRAFT_TRACE
  std::int64_t traced = 0;  // calls so far
  TraceText<32> trace_name{};
  std::int32_t world_order = 0;

  // the private communicator, made when the first algorithm is about to run
  MPI_Comm traffic = MPI_COMM_NULL;
  Claim claim;
  std::uint64_t sequence = 0;    // grafted calls so far, longer ones in pieces
  std::uint64_t sent_ahead = 0;  // of these, those whose messages MPI takes in before they are waited for
  Scratch scratch;
  ShiftedTypes shifted_types;
  std::optional<Channel> channel;  // to ranks of this node: not on all nodes, and not on all ranks alike
  std::optional<Pages> pages;      // of all ranks, on all ranks or on none: there is one node
};

/// What this rank knows of a communicator at a call.
struct Known {
  ShadowComm* shadow = nullptr;
  int young_call = 0;       // the call is the n-th of its native first ones; 0: it is none
  int error = MPI_SUCCESS;  // MPI has raised it: the handle is not of a communicator, or no longer
};

/// Counts a call on a communicator. Its state is made by the exchange at the first call that is none of its native
/// first ones. It is null until then, and where mpigraft must stay out: before MPI_Init and in MPI_Finalize, for
/// anything but a communicator, and where this rank had no memory for it.
///
/// `native_first_calls` stay native because many communicators are freed after one or two: on a crowded node exchange,
/// private communicator and segment cost as much as about so many native calls.
///
/// The ranks count alike without a message: all entry points are collective, so each rank takes part in the same calls.
/// A call counts before anything of it is looked at. MPI's refusal takes that back: it comes before the first message,
/// and a rank may have made that call alone. Nothing else that may differ between ranks may change the number, no
/// setting and no table.
Known count_call(MPI_Comm comm);

/// Takes back the count of a communicator's n-th call, which MPI refused.
void uncount_call(MPI_Comm comm, int n);

/// The state that a communicator has, or null.
ShadowComm* shadow_of(MPI_Comm comm);

/// How many states are gone, whose communicators' handles may come again; rises when MPI_Finalize begins, too.
inline std::atomic<std::uint64_t> shadows_gone{0};

/// The private communicator of MPI_COMM_WORLD, or MPI_COMM_NULL where none was made; equal on all ranks.
MPI_Comm private_world();

/// True once the private communicator, and the channel where there is to be one, stand on all ranks. Collective; asked
/// only after an agreed decision.
bool ensure_traffic(ShadowComm& shadow);

}  // namespace mpigraft
