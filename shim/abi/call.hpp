// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "algorithms/collective.hpp"
#include "shim/abi/handles.hpp"

namespace mpigraft::abi {

/// The arguments that only collectives with parts take, as they arrived.
struct RawParts {
  std::int64_t send_count = 0;  // of what is gathered
  std::uintptr_t send_type = 0;
  const void* counts = nullptr;  // the parts' lengths: int, or MPI_Count in the _c form; null: all as RawCall::count
  const void* displs = nullptr;  // where gathered parts go: int, or MPI_Aint; null: one behind the other
};

/// An intercepted call as it arrived. Its handles are what was in the registers: nothing is made of them before the
/// library is known (abi::passed).
struct RawCall {
  Collective collective;
  bool large;          // the _c form
  bool equal = false;  // the function with parts of one length
  const void* send;    // null where the signature has one buffer
  void* recv;          // or the one buffer
  std::int64_t count;  // of a part, where all are alike; 0 where there is an array of counts
  std::uintptr_t type;
  std::uintptr_t op;  // 0 where nothing is combined
  int root;           // 0 where there is none
  std::uintptr_t comm;
  const RawParts* parts = nullptr;  // where the signature has such arguments
};

/// The same call to PMPI, untouched.
int forward(const RawCall& call);
/// The same to its nonblocking form.
int forward_nonblocking(const RawCall& call, Request& request);

}  // namespace mpigraft::abi
