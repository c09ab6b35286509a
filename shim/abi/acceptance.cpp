// SPDX-License-Identifier: MIT
#include "shim/abi/acceptance.hpp"

#include <atomic>
#include <cstdio>

#include "shim/abi/functions.hpp"
#include "shim/abi/predefined.hpp"

namespace mpigraft::abi {
namespace {

/// A function without a communicator would raise errors on MPI_COMM_WORLD and end the program.
std::atomic<Comm> made_own_comm{Comm::null};

}  // namespace

Answer accepts(Type type) {
  if (is_builtin(type)) return Answer::yes;
  const Comm judge = own_comm();
  char nothing = 0;
  if (judge == Comm::null) return Answer::unasked;
  return bcast(&nothing, 1, type, 0, judge) == success ? Answer::yes : Answer::no;
}

Comm own_comm() { return made_own_comm.load(std::memory_order_relaxed); }

void make_own_comm() {
  if (own_comm() != Comm::null) return;
  static std::atomic<int> serial{0};
  char tag[32];
  std::snprintf(tag, sizeof tag, "mpigraft own %d", serial.fetch_add(1));
  Comm mine = comm_copy(comm_self, tag), made = Comm::null;
  if (mine != Comm::null && !made_own_comm.compare_exchange_strong(made, mine))
    comm_free(mine);  // another thread was first
}

}  // namespace mpigraft::abi
