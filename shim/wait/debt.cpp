// SPDX-License-Identifier: MIT
#include "shim/wait/debt.hpp"

#include "shim/abi/functions.hpp"
#include "shim/wait/looks.hpp"

namespace mpigraft::wait {
namespace {

constexpr int most_rounds = 1000;  // each moves several messages; other ranks may send without end
constexpr int blind_rounds = 16;   // if MPI does not look through UCX, it is not known whether a round moved a message

struct Paid {
  unsigned looks = 0, moved = 0;
};
[[gnu::tls_model("initial-exec")]] constinit thread_local Paid paid;

}  // namespace

void count_paid_look(unsigned moved) { ++paid.looks, paid.moved += moved; }

/// A second thread that looks meanwhile pays too, because its look must not come before the progress. A collective that
/// ends meanwhile makes a new debt, which stays.
void pay_debt() {
  Debt now = Debt::owed;
  debt.compare_exchange_strong(now, Debt::being_paid, std::memory_order_relaxed);
  forget_looks();  // so that no round naps
  for (int round = 1; round <= most_rounds && abi::is_up(); ++round) {
    paid = {};
    abi::progress();
    if (paid.looks > 0 ? paid.moved == 0 : round >= blind_rounds) break;
  }
  now = Debt::being_paid;
  debt.compare_exchange_strong(now, Debt::none, std::memory_order_relaxed);
}

}  // namespace mpigraft::wait
