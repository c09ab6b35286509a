// SPDX-License-Identifier: MIT
// Errors of a collective: how they are raised, and what is said before they end the program.
#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include "shim/abi/functions.hpp"
#include "shim/base/log.hpp"
#include "shim/entry/plan_for.hpp"

namespace mpigraft::entry {

/// MPI ends the program with a line that does not tell in which collective ranks differ. Its launcher may drop what it
/// has not read by then.
void tell_before_end(const agree::Negotiated& agreed, const abi::Call& call, int error, abi::Comm raises) {
  static std::atomic<bool> told{false};
  const bool of_ranks = error == abi::err_truncate || error == abi::err_intern;
  if (!of_ranks || abi::errors_of(raises) != abi::Errors::end_the_program || told.exchange(true)) return;
  base::ignore_bad_alloc([&] {
    base::log(std::string(function_of(call.collective, call.equal)) + " fails on rank " + std::to_string(agreed.rank) +
              " of " + std::to_string(agreed.size) +
              ": ranks of the communicator make different calls or pass different lengths, or on some of them a "
              "tool calls PMPI_ for the program; MPIGRAFT_CHECK=1 names blocking calls that differ");
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
}

int raise(const agree::Negotiated& agreed, const abi::Call& call, int error) {
  tell_before_end(agreed, call, error, agreed.comm);
  abi::comm_call_errhandler(agreed.comm, error);
  return error;
}

bool strict_forbids(const agree::Negotiated& agreed, const execute::Decision& decision) {
  if (!agreed.strict) return false;
  if (decision.reason == table::Reason::refused) return decision.fallback != agree::FallbackReason::memory;
  const bool is_flat = decision.reason == table::Reason::forced && decision.flat_of != table::native;
  return (is_flat && !agreed.allows_flat) || decision.reason == table::Reason::commutative;
}

int refuse(const agree::Negotiated& agreed, const abi::Call& call, const execute::Decision& decision) {
  if (agreed.rank == 0)
    base::ignore_bad_alloc([&] {
      base::log_once("MPIGRAFT_FORCE=strict: " + std::string(name_of(call.collective)) +
                     " cannot run as asked: " + execute::explain(decision));
    });
  else if (abi::errors_of(agreed.comm) == abi::Errors::end_the_program)
    std::this_thread::sleep_for(std::chrono::milliseconds(200));  // whoever is first ends rank 0, too
  return raise(agreed, call, abi::err_other);
}

}  // namespace mpigraft::entry
