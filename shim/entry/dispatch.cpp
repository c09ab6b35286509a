// SPDX-License-Identifier: MIT
// Call -> decision -> run, or PMPI.
#include <unwind.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <string>

#include "shim/abi/call.hpp"
#include "shim/abi/pmpi.hpp"
#include "shim/agree/decision.hpp"
#include "shim/agree/exchange.hpp"
#include "shim/base/log.hpp"
#include "shim/base/process.hpp"
#include "shim/entry/shadow_comm.hpp"
#include "shim/observe/report.hpp"
#include "shim/observe/trace.hpp"
#include "shim/observe/verify.hpp"
#include "shim/operation/graft.hpp"

namespace mpigraft {
namespace {

int raise(const ShadowComm& shadow, int error) {
  pmpi.Comm_call_errhandler(shadow.user, error);
  return error;
}

/// MPIGRAFT_STRICT: what is named but cannot run is an error, except where MPI itself leaves nothing to run, and where
/// a rank had no memory: one that could not keep its state does not know of an error and would wait for the others.
bool strict_forbids(const ShadowComm& shadow, const Decision& decision) {
  if (!shadow.strict) return false;
  if (decision.why == Why::refused)
    return shadow.refusal != Refusal::disabled && shadow.refusal != Refusal::intercommunicator &&
           shadow.refusal != Refusal::memory;
  return decision.why == Why::commutative;
}

/// A program with libgcc inside throws with that, while the frames here are cleaned up by the shared one, which aborts
/// unless it has set itself up in a walk of its own.
void prepare_unwinder() {
  static const auto walked = _Unwind_Backtrace([](_Unwind_Context*, void*) { return _URC_END_OF_STACK; }, nullptr);
  static_cast<void>(walked);
}

/// A thread's last call of a collective that went on to PMPI with nobody watching: the next one like it is let through
/// without another look. In one cache line: after much work of the program there is none left.
struct alignas(64) LastNative {
  std::uint64_t gone = UINT64_MAX;  // `shadows_gone` at that time; there was none yet
  std::uintptr_t comm = 0, type = 0, op = 0;
  std::int64_t count = 0;
  int root = 0;

  bool operator==(const LastNative&) const = default;
};
[[gnu::tls_model("initial-exec")]] constinit thread_local std::array<LastNative, collective_count> last_native;

LastNative native_call(const RawCall& raw) {
  return {shadows_gone.load(std::memory_order_acquire), raw.comm, raw.type, raw.op, raw.count, raw.root};
}

LastNative& last_native_of(Collective collective) { return last_native[static_cast<std::size_t>(collective)]; }

/// Whether this rank tells of its calls.
bool watched() { return !settings().report.empty() || !settings().trace.empty(); }

/// Wrong arguments are this rank's own, and handles of the program's types and operators come again.
bool stays_native(const Call& call, const Decision& decision) {
  return !watched() && decision.why != Why::arguments && call.is_predefined();
}

int dispatch(ShadowComm& shadow, const RawCall& raw) {
  Call call(raw);
  const Decision decision = decide(shadow, call);
  const Traced traced(shadow, call, decision);
  const CountedCall counted(shadow, call, decision);
  if (strict_forbids(shadow, decision)) {
    if (shadow.rank == 0)
      without_memory_silent([&] {
        log_once("MPIGRAFT_STRICT: " + std::string(name_of(call.collective)) +
                 " cannot run as asked: " + explain(shadow, decision));
      });
    return raise(shadow, MPI_ERR_OTHER);
  }
  if (decision.choice.algorithm == native) {
    if (stays_native(call, decision)) last_native_of(raw.collective) = native_call(raw);
    return forward(raw);
  }
  if (call.user_op) prepare_unwinder();
  const int error =
      verifies_next(shadow) ? graft_and_verify(shadow, raw, call, decision) : graft(shadow, call, decision.choice);
  return error == MPI_SUCCESS ? MPI_SUCCESS : raise(shadow, error);
}

/// Whether MPI has looked at the arguments of a call and no further.
bool refused(int error) {
  switch (error_class(error)) {
    case MPI_ERR_ARG:
    case MPI_ERR_BUFFER:
    case MPI_ERR_COMM:
    case MPI_ERR_COUNT:
    case MPI_ERR_OP:
    case MPI_ERR_ROOT:
    case MPI_ERR_TYPE:
      return true;
    default:
      return false;
  }
}

/// Forwards a call, and tells of it where this rank tells of its calls: the n-th of a communicator without state.
int watched_call(const RawCall& raw, int n) {
  bool tells = false;
  without_memory_silent([&] { tells = watched(); });
  if (!tells) return forward(raw);
  ShadowComm passing(static_cast<MPI_Comm>(raw.comm));
  passing.refusal = native_by_nature(passing.user);
  if (passing.refusal == Refusal::none) passing.refusal = Refusal::young;
  passing.traced = n - 1;
  Call call(raw);
  const Decision decision = decide(passing, call);
  const Traced traced(passing, call, decision);
  const CountedCall counted(passing, call, decision);
  return forward(raw);
}

/// One of a communicator's native first calls, the n-th.
int young_call(const RawCall& raw, int n) {
  const int error = watched_call(raw, n);
  if (refused(error)) uncount_call(static_cast<MPI_Comm>(raw.comm), n);
  return error;
}

/// Handles of an unknown MPI cannot be asked for a rank; the launcher's variables can.
bool first_process() {
  for (const char* name : {"PMI_RANK", "OMPI_COMM_WORLD_RANK", "SLURM_PROCID"})
    if (const char* rank = std::getenv(name)) return std::atoi(rank) == 0;
  return true;
}

}  // namespace

int intercepted(const RawCall& raw, const void* caller) {
  if (last_native_of(raw.collective) == native_call(raw)) return forward(raw);
  if (!graftable(caller)) {
    if (first_process())
      without_memory_silent([] { log_once(std::string(not_graftable_because()) + ": every call stays native"); });
    return forward(raw);
  }
  const Known known = count_call(static_cast<MPI_Comm>(raw.comm));
  if (known.error != MPI_SUCCESS) return known.error;
  if (known.shadow) return dispatch(*known.shadow, raw);
  return known.young_call > 0 ? young_call(raw, known.young_call) : forward(raw);
}

}  // namespace mpigraft
