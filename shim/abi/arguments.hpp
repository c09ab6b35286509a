// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>

#include "shim/abi/call.hpp"
#include "shim/abi/datatype.hpp"
#include "shim/abi/kernels.hpp"

namespace mpigraft {

struct ShadowComm;

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

  /// Of predefined handles, which stay what they are. PMPI and we find the same of both calls, buffers apart.
  /// Neighbours are not compared one after the other: the compiler would load both in one piece (meson.build).
  bool is_like(const Call& other) const {
    return type == other.type && count == other.count && op == other.op && root == other.root;
  }
  bool is_predefined() const { return is_builtin(type) && (collective == Collective::bcast || is_builtin(op)); }

  // filled by inspect()
  Datatype datatype{};
  std::int64_t bytes = 0;  // equal on all ranks
  bool commutative = true;
  bool user_op = false;
  Kernel kernel = nullptr;  // null: by MPI_Reduce_local
};

/// Fills the facts. False: PMPI would reject the arguments, or the size overflows: its business.
bool inspect(Call& call, const ShadowComm& shadow);

/// The part of inspect() that the buffers decide, of a call whose type is described: what MPI accepts on this rank.
bool good_buffers(const Call& call, int rank);

/// Frees what inspect() keeps; in MPI_Finalize.
void forget_probe();

}  // namespace mpigraft
