// SPDX-License-Identifier: MIT
#pragma once

#include "shim/abi/call.hpp"
#include "shim/abi/constants.hpp"
#include "shim/abi/datatype.hpp"
#include "shim/abi/kernels.hpp"
#include "shim/abi/predefined.hpp"

namespace mpigraft::abi {

/// The facts that follow from the handles and the count of a call; filled by inspect().
struct CallFacts {
  Datatype datatype{};
  std::int64_t elements = 0;  // of the vector
  bool commutative = true;
  bool user_op = false;
  Kernel kernel = nullptr;  // null: by MPI_Reduce_local
};

/// An element of an array of MPI_Count or MPI_Aint, which `large` calls take, or of int.
inline std::int64_t number_in(const void* array, bool large, int i) {
  return large ? static_cast<const std::int64_t*>(array)[i] : static_cast<const int*>(array)[i];
}

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
  std::int64_t bytes;     // of the vector; equal on all ranks
  bool large, equal;      // as in RawCall
  const RawParts* parts;  // the same

  /// Whether the vector has a part for each rank.
  bool in_parts() const { return equal || parts; }
  /// Elements of a rank's part, where there are parts.
  std::int64_t part(int rank) const { return parts && parts->counts ? number_in(parts->counts, large, rank) : count; }
  /// Elements from the start of the receive buffer to where a rank's part goes.
  std::int64_t place_of_part(int rank) const {
    return parts && parts->displs ? number_in(parts->displs, large, rank) : rank * count;
  }
  /// Whether the input has a count and a type of its own.
  bool sends_typed() const { return info().input.length == Length::part && send != in_place; }
  Type send_type() const { return passed<Type>(parts->send_type); }

  /// Whether the handles are predefined ones, which stay what they are: PMPI and we find the same of another such call,
  /// buffers apart.
  bool is_predefined() const {
    if (!info().moves_data() || (info().combines() && is_on_kept(op))) return true;
    return is_builtin(type) && (info().combines() ? is_builtin(op) : !sends_typed() || is_builtin(send_type()));
  }
  const CollectiveInfo& info() const { return info_of(collective); }
};

/// Elements of a vector whose parts' lengths are in an array; -1: MPI would reject one, or the sum overflows.
std::int64_t sum_of_counts(const RawParts& parts, bool large, int ranks);

/// Fills the facts, on rank `rank` of `size`. False: PMPI would reject the arguments, or the size overflows: its
/// business.
bool inspect(Call& call, int rank, int size);

/// The part of inspect() that the buffers decide, of a call whose type is described: what MPI accepts on this rank.
bool good_buffers(const Call& call, int rank, int size);

/// Frees what inspect() keeps; in MPI_Finalize.
void forget_probe();

}  // namespace mpigraft::abi
