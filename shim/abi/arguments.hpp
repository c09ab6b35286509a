// SPDX-License-Identifier: MIT
#pragma once

#include "shim/abi/call.hpp"
#include "shim/abi/datatype.hpp"
#include "shim/abi/kernels.hpp"
#include "shim/abi/predefined.hpp"

namespace mpigraft::abi {

/// The facts that follow from the handles and the count of a call; filled by inspect().
struct CallFacts {
  Datatype datatype{};
  std::int64_t bytes = 0;  // equal on all ranks
  bool commutative = true;
  bool user_op = false;
  Kernel kernel = nullptr;  // null: by MPI_Reduce_local
};

/// An intercepted call of a library that is known, with its facts.
struct Call : CallFacts {
  explicit Call(const RawCall& raw, const CallFacts& facts = {});

  Collective collective;
  const void* send;
  void* recv;  // bcast: the one buffer
  std::int64_t count;
  Type type;
  Op op;
  int root;

  /// Whether the handles are predefined ones, which stay what they are: PMPI and we find the same of another such call,
  /// buffers apart.
  bool is_predefined() const {
    return !info().moves_data() || (is_builtin(type) && (!info().combines() || is_builtin(op)));
  }
  const CollectiveInfo& info() const { return info_of(collective); }
};

/// Fills the facts, on rank `rank` of `size`. False: PMPI would reject the arguments, or the size overflows: its
/// business.
bool inspect(Call& call, int rank, int size);

/// The part of inspect() that the buffers decide, of a call whose type is described: what MPI accepts on this rank.
bool good_buffers(const Call& call, int rank);

/// Frees what inspect() keeps; in MPI_Finalize.
void forget_probe();

}  // namespace mpigraft::abi
