// SPDX-License-Identifier: MIT
// Handles in the trace: communicators, requests and types.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>

#include "config/report/trace.hpp"
#include "shim/abi/functions.hpp"

namespace mpigraft::watch {

struct TracedComm {
  report::TraceComm place;             // its name is found without communication
  bool inter = false;                  // an intercommunicator, which has no name
  bool named_late = false;             // at its first use, whose order may differ between ranks
  std::atomic<std::int64_t> calls{0};  // number of calls that its ranks have made together
};

/// The communicator's attribute, which the first call makes. Null without memory, or if MPI refuses the handle; then
/// `refused` is set. `origin` is the mark of the call that created the communicator, if it has just been created.
inline constexpr std::uint64_t no_origin = 0, not_created_now = ~std::uint64_t{0};
TracedComm* traced_comm(abi::Comm comm, abi::Refused& refused, std::uint64_t origin = not_created_now);

/// A communicator while this thread frees it. Its attribute goes first: MPI would return the error of the attribute
/// that it deletes last alone, and delete functions of the program may make collectives after ours.
class Freed {
 public:
  /// Takes the attribute from the communicator. `refused` is set if MPI refuses the handle.
  Freed(abi::Comm comm, abi::Refused& refused);
  ~Freed();
  Freed(const Freed&) = delete;
  Freed& operator=(const Freed&) = delete;
  /// Called if the communicator stays, because delete functions of the program have failed.
  void is_in_vain();

 private:
  friend TracedComm* traced_comm(abi::Comm, abi::Refused&, std::uint64_t);

  const abi::Comm comm_;
  std::unique_ptr<TracedComm> traced_;
};

/// A number for call `call` of a communicator, the same on all its ranks.
std::uint64_t mark_of(const report::TraceComm& comm, std::int64_t call);

/// The rank in MPI_COMM_WORLD of a rank of `comm`. If it has none, `found` is false and `rank` is returned.
std::int32_t world_rank(abi::Comm comm, const TracedComm& traced, std::int32_t rank, bool& found);

/// An operation of the program that a request stands for, on a communicator.
struct TracedRequest {
  report::TraceMessage message;
  report::TraceComm comm;
};

/// Remembers the operation that was started. MPI reuses handles, so the last operation of a handle counts.
void remember(abi::Request request, const TracedRequest& started);

/// Fills in the operations of an entry that waits for the `n` requests at `requests`, some of which may be null.
void describe_requests(report::TraceEntry& entry, const void* requests, std::int64_t n);

/// Copies `text`, and cuts it off if it is longer than n.
template <std::size_t n>
void put(report::TraceText<n>& into, std::string_view text) {
  into = {};
  text.copy(into.data(), n);
}

/// Writes count, type, and their size in bytes, or -1 if that is not known.
void put_elements(report::TraceEntry& entry, std::int64_t count, abi::Type type);

}  // namespace mpigraft::watch
