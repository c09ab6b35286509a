// SPDX-License-Identifier: MIT
// The trace: the last calls of this rank, in a file that outlives it. It shows the call in which a rank waits for ever.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "config/report/trace.hpp"
#include "shim/abi/call.hpp"
#include "shim/abi/fortran.hpp"
#include "shim/abi/functions.hpp"
#include "shim/abi/handles.hpp"
#include "shim/watch/trace_file.hpp"
#include "shim/watch/traced_handles.hpp"

namespace mpigraft::watch {

/// The ranks that call a function together.
enum class Callers {
  alone,     // this rank for itself, or ranks that are not known
  together,  // all ranks of the communicator
  alike,     // all ranks of the communicator, each with the same number of bytes
  starts,    // this rank, and it does not wait
  last,      // all ranks of MPI_COMM_WORLD, in MPI_Finalize
};

/// A parameter that RawCall has a member for.
template <class Role>
concept OfCollectives = std::is_member_object_pointer_v<decltype(abi::member_for(std::declval<const Role&>()))>;

/// The arguments of a call that the trace tells. A member is empty if the function has no such parameter.
struct Told {
  abi::RawCall call{};  // its handles are 0 if the function has no such parameters
  const void *buf = nullptr, *requests = nullptr, *newrequest = nullptr, *newcomm = nullptr;
  const void* oldcomm = nullptr;   // where C has the communicator that the call frees
  std::optional<abi::Comm> freed;  // that communicator
  std::optional<std::int64_t> other_count;
  abi::Word other_datatype = 0;
  std::optional<int> root, dest, source, tag, recvtag, number;

  template <class... Arguments>
  explicit Told(Arguments&&... arguments) {
    (take(arguments), ...);
  }

 private:
  using Narrow = abi::Narrow;

  void take(const auto&) {}
  template <OfCollectives Role>
  void take(const Role& value) {
    auto& member = call.*abi::member_for(value);
    member = static_cast<std::remove_reference_t<decltype(member)>>(value);
    call.large |= abi::is_large<Role>;
  }
  void take(Narrow::root value) { root = call.root = static_cast<int>(value); }
  void take(Narrow::buf value) { buf = value; }
  void take(Narrow::other_count value) { other_count = static_cast<int>(value); }
  void take(abi::Large::other_count value) { other_count = static_cast<std::int64_t>(value); }
  void take(Narrow::other_datatype value) { other_datatype = static_cast<abi::Word>(value); }
  void take(Narrow::dest value) { dest = static_cast<int>(value); }
  void take(Narrow::source value) { source = static_cast<int>(value); }
  void take(Narrow::tag value) { tag = static_cast<int>(value); }
  void take(Narrow::recvtag value) { recvtag = static_cast<int>(value); }
  void take(Narrow::number value) { number = static_cast<int>(value); }
  void take(Narrow::requests value) { requests = value; }
  void take(Narrow::request value) { requests = value, number = 1; }
  void take(Narrow::newrequest value) { newrequest = value; }
  void take(Narrow::newcomm value) { newcomm = value; }
  void take(Narrow::oldcomm place) { oldcomm = place, freed = place ? abi::comm_at(place) : abi::Comm::null; }
  void take(abi::InC<Narrow::oldcomm>& place) { freed = abi::comm_at(place); }
  void take(abi::InC<Narrow::request>& place) { take(place.unconverted()); }
  void take(abi::InC<Narrow::newrequest>& place) { take(place.unconverted()); }
};

/// The entry of the call that a thread is in, and the time in ns of the steady clock when it began; null: it is in
/// none.
struct Inside {
  const report::TraceEntry* entry = nullptr;
  std::int64_t since = 0;
};
Inside inside();

/// Traces a call from its construction to its destruction. Does nothing if there is no trace.
class TracedCall {
 public:
  TracedCall(std::string_view function, Callers callers, const Told& told);
  ~TracedCall();
  TracedCall(const TracedCall&) = delete;
  TracedCall& operator=(const TracedCall&) = delete;

  /// Set if MPI refused the communicator. Then the call must not be made, because MPI has called the error handler.
  abi::Refused refused() const { return refused_; }
  /// Called with the call's error code, which it returns. Remembers the request or communicator that the call has made.
  /// A call whose arguments MPI refused is not counted.
  int ended(int error);

 private:
  report::TraceEntry& enter(report::Together together);
  void publish();
  void remember_request() const;

  const std::string_view function_;
  const Callers callers_;
  const Told told_;
  TracedComm* comm_ = nullptr;
  report::TraceEntry* entry_ = nullptr;  // null: the call makes none
  std::int64_t number_ = 0;
  std::int64_t call_ = 0;  // its number among those that the communicator's ranks make together; 0: it is not one
  Inside around_{};
  abi::Refused refused_;
  std::optional<Freed> freed_;
};

/// Compares this rank's entry with those of other ranks of its node for the same call, by their traces, if
/// MPIGRAFT_CHECK asks for it. REQUIRES: the entry is published.
void check_call(const report::TraceEntry& entry);

}  // namespace mpigraft::watch
