// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>

#include "shim/call.hpp"
#include "shim/datatype.hpp"
#include "shim/shadow_comm.hpp"

namespace mpigraft {

/// An intercepted call of MPICH, with its facts.
struct Call {
  explicit Call(const RawCall& raw);

  Collective collective;
  const void* send;
  void* recv;  // bcast: the one buffer
  std::int64_t count;
  MPI_Datatype type;
  MPI_Op op;
  int root;

  // filled by inspect()
  Datatype datatype{};
  std::int64_t bytes = 0;  // equal on all ranks
  bool commutative = true;
  bool user_op = false;
};

/// Fills the facts. False: PMPI would reject the arguments, or the size overflows: its business.
bool inspect(Call& call, const ShadowComm& shadow);

/// Frees what inspect() keeps; in MPI_Finalize.
void forget_probe();

}  // namespace mpigraft
