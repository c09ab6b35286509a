// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "shim/abi/call.hpp"
#include "shim/abi/datatype.hpp"
#include "shim/abi/kernels.hpp"
#include "shim/abi/predefined.hpp"

namespace mpigraft::abi {

/// The facts that follow from a call's handles and counts; inspect() fills them in.
struct CallFacts {
  Datatype datatype{};
  std::int64_t elements = 0;  // length of the vector
  bool commutative = true;
  bool user_op = false;
  Kernel kernel = nullptr;  // null: MPI_Reduce_local combines
};

/// Element `i` of an array of counts or displacements: int, or MPI_Count and MPI_Aint in a `large` call.
inline std::int64_t number_in(const void* array, bool large, int i) {
  return large ? static_cast<const std::int64_t*>(array)[i] : static_cast<const int*>(array)[i];
}

/// An intercepted call whose MPI library is known, with its facts.
struct Call : RawCall, CallFacts {
  explicit Call(const RawCall& raw, const CallFacts& facts = {});

  Type type;
  Op op;
  std::int64_t bytes;  // size of the vector; equal on all ranks
  int lost = success;  // else an error class: this rank cannot reach its buffers, and goes through its schedule without
                       // them

  /// Elements in the part of `rank`. REQUIRES: in_parts().
  std::int64_t part(int rank) const { return counts ? number_in(counts, large, rank) : count; }
  /// Elements from the start of the receive buffer to the part of `rank`. REQUIRES: in_parts().
  std::int64_t place_of_part(int rank) const { return displs ? number_in(displs, large, rank) : rank * count; }
  char* address_of_part(int rank) const { return moved(recv, place_of_part(rank) * datatype.extent); }
  /// The buffer that holds the input. REQUIRES: the rank has one.
  const void* input() const { return info().has_one_buffer() || send == in_place ? recv : send; }
  /// True if the input has its own count and type.
  bool sends_typed() const { return info().input.length == Length::part && send != in_place; }
  Type send_type() const { return passed<Type>(raw_send_type); }

  /// True if all handles are predefined, so that none can come to mean another object. A later call with the same
  /// arguments then has the same facts, except for its buffers.
  bool is_predefined() const {
    if (!info().moves_data() || (info().combines() && is_on_kept(op))) return true;
    return is_builtin(type) && (info().combines() ? is_builtin(op) : !sends_typed() || is_builtin(send_type()));
  }
  const CollectiveInfo& info() const { return info_of(collective); }
};

/// The sum of the first `ranks` entries of an array of counts; -1: one is negative, or the sum overflows.
inline std::int64_t sum_of_counts(const void* counts, bool large, int ranks) {
  std::int64_t sum = 0;
  for (int r = 0; r < ranks; ++r) {
    const std::int64_t count = number_in(counts, large, r);
    if (count < 0 || __builtin_add_overflow(sum, count, &sum)) return -1;
  }
  return sum;
}

/// The count of a call, or the sum of its counts on `ranks` ranks.
inline std::int64_t length_of(const RawCall& raw, int ranks) {
  return raw.counts ? sum_of_counts(raw.counts, raw.large, ranks) : raw.count;
}

/// What like calls on a communicator have in common: all but their buffers, and perhaps their lengths.
struct CallKind {
  CallKind() = default;
  /// `size`: of the communicator.
  CallKind(const RawCall& raw, int size)
      : type(raw.raw_type), op(raw.raw_op), count(length_of(raw, size)), root(raw.root), ranks(size) {
    if (!raw.in_parts()) return;
    in_place = raw.send == abi::in_place, by_counts = raw.counts != nullptr;
    send_count = raw.send_count, send_type = raw.raw_send_type;
  }

  /// Lets calls with `least` to `most` elements be of the kind, too, if they send what they receive, or it is by
  /// counts.
  void widen(std::int64_t least, std::int64_t most) {
    const bool sends_other = send_type != 0 && !in_place && !by_counts && (send_type != type || send_count != count);
    if (!sends_other) count = least, more = static_cast<std::uint64_t>(most - least);
  }

  Word type = 0, op = 0;
  std::int64_t count = 0;  // the least,
  std::uint64_t more = 0;  // and so many more at most
  int root = 0;
  bool in_place = false;   // set, as all that follows, if the vector has parts
  bool by_counts = false;  // true: the parts' lengths were in an array, and `count` is their sum on `ranks` ranks
  int ranks = 0;
  std::int64_t send_count = 0;
  Word send_type = 0;

  /// `raw`: a call of the same collective. Does not compare neighbouring members one after the other, because the
  /// compiler would load both in one piece (meson.build).
  bool is_of(const RawCall& raw) const {
    return type == raw.raw_type && (by_counts || has(raw.count)) && op == raw.raw_op && root == raw.root &&
           (raw.in_parts() ? has_like_parts(raw) : !by_counts);
  }

 private:
  bool has(std::int64_t length) const { return static_cast<std::uint64_t>(length - count) <= more; }

  /// With MPI_IN_PLACE the input's count and type do not matter. A decision depends only on the sum of the parts'
  /// lengths.
  bool has_like_parts(const RawCall& raw) const {
    if (by_counts != (raw.counts != nullptr)) return false;
    if (by_counts && (more > 0 || sends_alike(raw))) return has(sum_of_counts(raw.counts, raw.large, ranks));
    return !by_counts && sends_alike(raw);
  }
  bool sends_alike(const RawCall& raw) const {
    if (in_place != (raw.send == abi::in_place)) return false;
    const std::int64_t sends = more > 0 && send_type != 0 ? raw.count : send_count;
    return in_place || (send_type == raw.raw_send_type && sends == raw.send_count);
  }
};

/// Fills in the facts, for rank `rank` of `size`. Returns false if PMPI would reject the arguments or the size in bytes
/// overflows; such a call is left to MPI.
bool inspect(Call& call, int rank, int size);

/// The part of inspect() that depends on the buffers: true if MPI accepts them on this rank. REQUIRES: the other facts
/// of the call are known.
bool good_buffers(const Call& call, int rank, int size);

/// About how long MPI takes for a call on `size` ranks of a node, in ns. Equal on all ranks. REQUIRES: MPI accepts the
/// call's arguments.
std::int64_t estimated_native_ns(const RawCall& raw, int size);

/// The answer of MPI whether a handle is valid, asked on own_comm(), so that no error ends the program.
enum class Answer { no, unasked, yes };

/// Whether MPI accepts the type for communication, which it does not before the type is committed. REQUIRES:
/// is_datatype(type).
Answer accepts(Type type);

}  // namespace mpigraft::abi
