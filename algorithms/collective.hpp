// SPDX-License-Identifier: MIT
// THE table of collectives: input, result and combination of each. It is their only description: enumeration, entry
// points in C and Fortran, forwarding, argument checks, proofs, schema, documents and tests derive from it.
#pragma once

// The parameters of MPI's functions in C, by the signatures that rows name. Makes P(name) of each.
// clang-format off
#define MPIGRAFT_PARAMETERS_send_recv_op(P) P(sendbuf), P(recvbuf), P(count), P(datatype), P(op), P(comm)
#define MPIGRAFT_PARAMETERS_send_recv_op_root(P) P(sendbuf), P(recvbuf), P(count), P(datatype), P(op), P(root), P(comm)
#define MPIGRAFT_PARAMETERS_send_recv_counts_op(P) P(sendbuf), P(recvbuf), P(counts), P(datatype), P(op), P(comm)
#define MPIGRAFT_PARAMETERS_send_recv(P) \
  P(sendbuf), P(sendcount), P(sendtype), P(recvbuf), P(count), P(datatype), P(comm)
#define MPIGRAFT_PARAMETERS_send_recv_counts(P) \
  P(sendbuf), P(sendcount), P(sendtype), P(recvbuf), P(counts), P(displs), P(datatype), P(comm)
#define MPIGRAFT_PARAMETERS_buffer_root(P) P(recvbuf), P(count), P(datatype), P(root), P(comm)
#define MPIGRAFT_PARAMETERS_comm_only(P) P(comm)
#define MPIGRAFT_COUNT_comm_only  // Expands to nothing: without a count, a function has no form for large ones.

// A row: name in tables; whether its parts have one length; function of MPI, and its name in lower and upper case;
// signature; the ranks that have input, and its length; the same of the result; the ranks whose inputs a rank's result
// combines; meaning of MPI_IN_PLACE; least volume of a rank.
#define MPIGRAFT_COLLECTIVES(X)                                                                         \
  X(scan, false, Scan, scan, SCAN, send_recv_op,                                                        \
    every_rank, vector, every_rank, vector, own_and_lower, in_result, one_vector)                       \
  X(exscan, false, Exscan, exscan, EXSCAN, send_recv_op,                                                \
    every_rank, vector, all_but_first, vector, lower, in_result, one_vector)                            \
  X(bcast, false, Bcast, bcast, BCAST, buffer_root,                                                     \
    root_only, vector, every_rank, vector, of_root, in_buffer, one_vector)                              \
  X(reduce, false, Reduce, reduce, REDUCE, send_recv_op_root,                                           \
    every_rank, vector, root_only, vector, of_all, in_result, one_vector)                               \
  X(barrier, false, Barrier, barrier, BARRIER, comm_only,                                               \
    nobody, nothing, nobody, nothing, of_all, never, no_vector)                                         \
  X(allreduce, false, Allreduce, allreduce, ALLREDUCE, send_recv_op,                                    \
    every_rank, vector, every_rank, vector, of_all, in_result, other_parts_twice)                       \
  X(reduce_scatter, false, Reduce_scatter, reduce_scatter, REDUCE_SCATTER, send_recv_counts_op,         \
    every_rank, vector, every_rank, part, of_all, in_result, other_parts)                               \
  X(allgather, false, Allgatherv, allgatherv, ALLGATHERV, send_recv_counts,                             \
    every_rank, part, every_rank, vector, of_owner, in_result, other_parts)

// All functions of MPI for them: the same columns, up to the signature.
#define MPIGRAFT_COLLECTIVE_FUNCTIONS(X)                                                                \
  MPIGRAFT_COLLECTIVES(X)                                                                               \
  X(reduce_scatter, true, Reduce_scatter_block, reduce_scatter_block, REDUCE_SCATTER_BLOCK, send_recv_op) \
  X(allgather, true, Allgather, allgather, ALLGATHER, send_recv)
// clang-format on

#ifdef __cplusplus  // C programs of the tests read the rows alone

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "algorithms/parts.hpp"

namespace mpigraft {

#define X(name, ...) name,
enum class Collective { MPIGRAFT_COLLECTIVES(X) };
#undef X

/// A parameter of a collective's function.
enum class Parameter { sendbuf, sendcount, sendtype, recvbuf, count, counts, displs, datatype, op, root, comm };

/// A bit for each of them.
constexpr unsigned bits_of(std::initializer_list<Parameter> parameters) {
  unsigned bits = 0;
  for (const Parameter parameter : parameters) bits |= 1U << static_cast<unsigned>(parameter);
  return bits;
}

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

/// Place of the input in an MPI_IN_PLACE call. `in_result`: the result's memory, which a part of the vector begins as
/// the vector does. `in_buffer`: the collective's only buffer. `never`: no data.
enum class InPlace { in_result, in_buffer, never };

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
  unsigned parameters;        // bits_of() them
  Operand input, result;
  Sources sources;
  InPlace in_place;
  double (*transfer)(int p);

  constexpr bool takes(Parameter parameter) const { return (parameters & bits_of({parameter})) != 0; }
  constexpr bool rooted() const { return takes(Parameter::root); }
  /// Whether the vector has a part for each rank.
  constexpr bool has_parts() const { return input.length == Length::part || result.length == Length::part; }
  constexpr bool moves_data() const { return result.holders != Holders::nobody; }
  /// True if the function takes a count, and so has a form with a large one (MPI_Scan_c).
  constexpr bool has_count() const { return takes(Parameter::datatype); }
  /// True if an operator is applied. Otherwise the vector is a stream of bytes, in which ranks may count in different
  /// types.
  constexpr bool combines() const { return takes(Parameter::op); }
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
  /// True if an algorithm can tell that a call is in place. The only buffer hides it.
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

#define PARAMETER(name) Parameter::name
#define X(name, equal, function, lower, upper, signature, input_at, input_length, result_at, result_length, sources, \
          in_place, transfer)                                                                                        \
  CollectiveInfo{#name,                                                                                              \
                 "MPI_" #function,                                                                                   \
                 bits_of({MPIGRAFT_PARAMETERS_##signature(PARAMETER)}),                                              \
                 {Holders::input_at, Length::input_length},                                                          \
                 {Holders::result_at, Length::result_length},                                                        \
                 Sources::sources,                                                                                   \
                 InPlace::in_place,                                                                                  \
                 transfer},
inline constexpr std::array collectives{MPIGRAFT_COLLECTIVES(X)};
#undef X
#undef PARAMETER
#define X(name, ...) Collective::name,
inline constexpr std::array all_collectives{MPIGRAFT_COLLECTIVES(X)};
#undef X
inline constexpr std::size_t collective_count = collectives.size();

/// A function of MPI for a collective; `equal`: the one for parts of one length.
struct CollectiveFunction {
  Collective collective;
  bool equal;
  std::string_view name;
};
#define X(name, equal, function, ...) CollectiveFunction{Collective::name, equal, "MPI_" #function},
inline constexpr std::array collective_functions{MPIGRAFT_COLLECTIVE_FUNCTIONS(X)};
#undef X

constexpr const CollectiveInfo& info_of(Collective c) { return collectives[static_cast<std::size_t>(c)]; }

/// MPI's name of a collective's function; `equal`: of that for parts of one length.
constexpr std::string_view function_of(Collective c, bool equal) {
  for (const CollectiveFunction& f : collective_functions)
    if (f.equal == equal && f.collective == c) return f.name;
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
