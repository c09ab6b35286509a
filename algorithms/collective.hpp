// SPDX-License-Identifier: MIT
// THE table of collectives: input, result and combination of each. It is their only description: enumeration, entry
// points, argument checks, proofs, schema, documents and tests derive from it.
// Columns: name in tables; MPI function, without its prefix; signature; ranks with an input, and its length; ranks with
// a result, and its length; ranks whose inputs a result combines; meaning of MPI_IN_PLACE; least volume of a rank.
#pragma once

// A row: name in tables; function of MPI; signature; the ranks that have input, and its length; the same of the result;
// the ranks whose inputs a rank's result combines; meaning of MPI_IN_PLACE; least volume of a rank.
// clang-format off
#define MPIGRAFT_COLLECTIVES(X)                                                                                       \
  X(scan, Scan, send_recv_op, every_rank, vector, every_rank, vector, own_and_lower, in_result, one_vector)           \
  X(exscan, Exscan, send_recv_op, every_rank, vector, all_but_first, vector, lower, in_copy, one_vector)              \
  X(bcast, Bcast, buffer_root, root_only, vector, every_rank, vector, of_root, in_buffer, one_vector)                 \
  X(reduce, Reduce, send_recv_op_root, every_rank, vector, root_only, vector, of_all, in_result, one_vector)          \
  X(barrier, Barrier, comm_only, nobody, nothing, nobody, nothing, of_all, never, no_vector)                          \
  X(allreduce, Allreduce, send_recv_op, every_rank, vector, every_rank, vector, of_all, in_result, other_parts_twice) \
  X(reduce_scatter, Reduce_scatter, send_recv_counts_op, every_rank, vector, every_rank, part, of_all, in_copy,       \
    other_parts)                                                                                                      \
  X(allgather, Allgatherv, send_recv_counts, every_rank, part, every_rank, vector, of_owner, in_result, other_parts)

// Further MPI functions for the collectives above, with parts of one length. Columns: row; function; signature.
#define MPIGRAFT_EQUAL_PARTS(X)                            \
  X(reduce_scatter, Reduce_scatter_block, send_recv_op)    \
  X(allgather, Allgather, send_recv)
// clang-format on

#ifdef __cplusplus  // C programs of the tests read the rows alone

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "algorithms/parts.hpp"

namespace mpigraft {

#define X(name, ...) name,
enum class Collective { MPIGRAFT_COLLECTIVES(X) };
#undef X

/// Parameters of the C function, in order. Count and type follow the buffers; the communicator comes last.
enum class Signature {
  send_recv_op,
  send_recv_op_root,
  send_recv_counts_op,  // recvcounts, the length of each rank's part, in place of a count
  send_recv,            // a count and a type for either buffer
  send_recv_counts,     // the same; the receive count is recvcounts and displs
  buffer_root,          // one buffer for input and result
  comm_only,            // the communicator alone; such a function has no _c form
};

/// Which ranks have an input or get a result.
enum class Holders { every_rank, all_but_first, root_only, nobody };

/// How much of the collective's vector of m elements they have.
enum class Length {
  vector,   // all of it
  part,     // rank r's part
  nothing,  // nothing: only the order of events matters
};

/// The ranks whose inputs a rank's result combines, in rank order. `of_owner`: for each element, the rank whose part
/// contains it. In a collective without data: the ranks that must have come before a rank may leave.
enum class Sources { own_and_lower, lower, of_root, of_owner, of_all };

/// Place of the input in an MPI_IN_PLACE call. `in_result`: the result's memory. `in_copy`: a copy, because the
/// algorithm would overwrite the input in the result's memory too early. `in_buffer`: the collective's only buffer.
/// `never`: no data.
enum class InPlace { in_result, in_copy, in_buffer, never };

/// Lower bounds of what some rank must send or receive on p ranks, as multiples of m. Where all ranks get the
/// combination of all inputs, an element takes p-1 messages until a first rank has its result, and p-1 more to reach
/// the others.
constexpr double one_vector(int /*p*/) { return 1; }
constexpr double other_parts(int p) { return 1.0 * (p - 1) / p; }
constexpr double other_parts_twice(int p) { return 2 * other_parts(p); }
constexpr double no_vector(int /*p*/) { return 0; }

struct Operand {
  Holders holders;
  Length length;

  /// How many of the vector's m elements the rank has.
  constexpr std::int64_t count(int rank, std::int64_t m, const Parts& parts) const {
    return length == Length::vector ? m : length == Length::part ? parts.count(rank) : 0;
  }
  /// Index in the vector of the first of them.
  constexpr std::int64_t first(int rank, const Parts& parts) const {
    return length == Length::part ? parts.first(rank) : 0;
  }

  constexpr bool is_at(int rank, int root) const {
    switch (holders) {
      case Holders::every_rank:
        return true;
      case Holders::all_but_first:
        return rank > 0;
      case Holders::root_only:
        return rank == root;
      case Holders::nobody:
        break;
    }
    return false;
  }
};

/// Ranks lo..hi-1; none where hi <= lo.
struct RankRange {
  int lo, hi;
  friend constexpr bool operator==(const RankRange&, const RankRange&) = default;
};

struct CollectiveInfo {
  std::string_view name;      // in tables: "scan"
  std::string_view function;  // in MPI: "MPI_Scan"
  Signature signature;
  Operand input, result;
  Sources sources;
  InPlace in_place;
  double (*transfer)(int p);

  constexpr bool rooted() const {
    return signature == Signature::send_recv_op_root || signature == Signature::buffer_root;
  }
  /// Whether the vector has a part for each rank.
  constexpr bool has_parts() const { return input.length == Length::part || result.length == Length::part; }
  constexpr bool moves_data() const { return result.holders != Holders::nobody; }
  /// True if the function takes a count, and so has a form with a large one (MPI_Scan_c).
  constexpr bool has_count() const { return signature != Signature::comm_only; }
  /// True if an operator is applied. Otherwise the vector is a stream of bytes, in which ranks may count in different
  /// types.
  constexpr bool combines() const {
    return signature == Signature::send_recv_op || signature == Signature::send_recv_op_root ||
           signature == Signature::send_recv_counts_op;
  }
  /// True if MPICH applies the operator to whole vectors. Programs rely on that for their own operators.
  constexpr bool combines_whole_vectors() const { return combines() && result.length == Length::vector; }
  /// True if all ranks get the same combination, and so a program may expect the same bits on all.
  constexpr bool gives_all_the_same() const {
    return combines() && result.holders == Holders::every_rank && result.length == Length::vector &&
           sources == Sources::of_all;
  }
  constexpr bool has_input(int rank, int root) const { return input.is_at(rank, root); }
  constexpr bool has_result(int rank, int root) const { return result.is_at(rank, root); }
  /// True if one buffer holds input and result.
  constexpr bool has_one_buffer() const { return in_place == InPlace::in_buffer; }
  /// True if an algorithm can tell that a call is in place. The only buffer, or a copy, hides it.
  constexpr bool shows_in_place() const { return in_place == InPlace::in_result; }
  /// True if the rank's input lies in the memory of its result.
  constexpr bool aliased(int rank, int root, bool in_place_call) const {
    return has_one_buffer() || (in_place_call && shows_in_place() && has_result(rank, root));
  }
  /// The ranks whose inputs are combined in one element of `rank`'s result. `owner` is the rank whose part contains the
  /// element, if there are parts.
  constexpr RankRange sources_of(int rank, int owner, int p, int root) const {
    switch (sources) {
      case Sources::own_and_lower:
        return {0, rank + 1};
      case Sources::lower:
        return {0, rank};
      case Sources::of_root:
        return {root, root + 1};
      case Sources::of_owner:
        return {owner, owner + 1};
      case Sources::of_all:
        break;
    }
    return {0, p};
  }
};

#define X(name, function, signature, input_at, input_length, result_at, result_length, sources, in_place, transfer) \
  CollectiveInfo{#name,                                                                                             \
                 "MPI_" #function,                                                                                  \
                 Signature::signature,                                                                              \
                 {Holders::input_at, Length::input_length},                                                         \
                 {Holders::result_at, Length::result_length},                                                       \
                 Sources::sources,                                                                                  \
                 InPlace::in_place,                                                                                 \
                 transfer},
inline constexpr std::array collectives{MPIGRAFT_COLLECTIVES(X)};
#undef X
#define X(name, ...) Collective::name,
inline constexpr std::array all_collectives{MPIGRAFT_COLLECTIVES(X)};
#undef X
inline constexpr std::size_t collective_count = collectives.size();

/// A further function of a collective, for parts of one length.
struct EqualParts {
  Collective collective;
  std::string_view function;
  Signature signature;
};
#define X(name, function, signature) EqualParts{Collective::name, "MPI_" #function, Signature::signature},
inline constexpr std::array equal_parts{MPIGRAFT_EQUAL_PARTS(X)};
#undef X

constexpr const CollectiveInfo& info_of(Collective c) { return collectives[static_cast<std::size_t>(c)]; }

/// MPI's name of a collective's function; `equal`: of that for parts of one length.
constexpr std::string_view function_of(Collective c, bool equal) {
  for (const EqualParts& f : equal_parts)
    if (equal && f.collective == c) return f.function;
  return info_of(c).function;
}
constexpr std::string_view name_of(Collective c) { return info_of(c).name; }

/// Names in the order of the rows, for texts that list them.
inline constexpr auto collective_names = [] {
  std::array<std::string_view, collective_count> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = collectives[i].name;
  return names;
}();

}  // namespace mpigraft

#endif
