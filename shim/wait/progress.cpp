// SPDX-License-Identifier: MIT
#include "shim/wait/progress.hpp"

#include "shim/abi/functions.hpp"
#include "shim/wait/jobs.hpp"

namespace mpigraft::wait {
namespace {

constexpr int most_rounds = 1000;  // each moves several messages; other ranks may send without end
constexpr int blind_rounds = 16;   // if MPI does not poll through UCX, it is not known whether a round moved a message

}  // namespace

void drive_progress() {
  if (in_job()) return;                  // the program is inside MPI, which makes progress
  if (has_jobs() && carry_on()) return;  // MPI does not poll in each call, and then carries on no job
  const Driving driving;
  abi::progress();
}

/// A second thread that polls meanwhile pays too, because its poll must not come before the progress. A collective that
/// ends meanwhile makes a new debt, which stays.
void pay_debt() {
  Debt now = Debt::owed;
  debt.compare_exchange_strong(now, Debt::being_paid, std::memory_order_relaxed);
  for (int round = 1; round <= most_rounds && abi::is_up(); ++round) {
    const Driving driving;
    abi::progress();
    if (driven.polls > 0 ? driven.moved == 0 : round >= blind_rounds) break;
  }
  now = Debt::being_paid;
  debt.compare_exchange_strong(now, Debt::none, std::memory_order_relaxed);
}

}  // namespace mpigraft::wait
