// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "algorithms/collective.hpp"
#include "shim/abi/handles.hpp"

namespace mpigraft::abi {

/// The arguments that only some collectives whose vector has parts take, as the program passed them.
struct RawParts {
  std::int64_t send_count = 0;  // of the part that this rank contributes
  std::uintptr_t send_type = 0;
  const void* counts = nullptr;  // the parts' lengths: int, or MPI_Count in the _c form; null: all are RawCall::count
  const void* displs = nullptr;  // where gathered parts go: int, or MPI_Aint; null: one follows the other
};

/// An intercepted call as the program made it. Its handles are the registers' contents, because they cannot be
/// interpreted before the library is known (abi::passed).
struct RawCall {
  Collective collective;
  bool large;          // the _c form
  bool equal = false;  // the function whose parts have one length, as MPI_Reduce_scatter_block
  const void* send;    // null if the signature has only one buffer
  void* recv;          // or the only buffer
  std::int64_t count;  // elements of the vector, or of each part if `equal`; 0 if there is an array of counts
  std::uintptr_t type;
  std::uintptr_t op;  // 0 if nothing is combined
  int root;           // 0 if there is no root
  std::uintptr_t comm;
  const RawParts* parts = nullptr;  // null if the signature has no such arguments
};

/// Makes the call by its PMPI function, with the arguments untouched. Returns MPI's error code.
int forward(const RawCall& call);
/// Makes the call by PMPI's nonblocking form. Sets `request` and returns MPI's error code.
int forward_nonblocking(const RawCall& call, Request& request);

}  // namespace mpigraft::abi
