// SPDX-License-Identifier: MIT
// MPI's predefined types and operators as data.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <utility>

#include "shim/abi/handles.hpp"
#include "shim/abi/translation/predefined.hpp"

namespace mpigraft::abi {

enum class Content : std::uint8_t {
  other,
  bytes,
  boolean,
  signed_integer,
  unsigned_integer,
  floating,
  complex,
  floating_and_index,  // for MPI_MINLOC and MPI_MAXLOC
  two_floating,        // for the same in Fortran, whose index has the value's type
};

struct TypeFacts {
  Content content = Content::other;
  std::uint8_t number = 0;  // a number of its own if it is a predefined type without parts; else 0
  int bytes = 0;            // size of an element; 0 if `number` is
};

/// The facts of a predefined type; nothing is known about derived ones.
TypeFacts facts_of(Type type);

/// True for predefined types of long double, which has padding bytes.
bool is_extended(Type type);

/// True for predefined types, except for pairs of two types such as MPI_DOUBLE_INT, which are derived to the library.
bool is_builtin(Type type);

#define X(name, op, ...) op,
enum class Operator : std::uint8_t {
  of_program,
  MPIGRAFT_NAMED_OPERATORS(X) other,  // predefined, but none of these
};
#undef X

Operator operator_of(Op op);

/// The operator's name, such as "MPI_SUM", or words for one without a name.
constexpr std::string_view name_of(Operator op) {
#define X(name, op, ...) #name,
  constexpr std::string_view names[] = {"a user-defined operator", MPIGRAFT_NAMED_OPERATORS(X) "a predefined operator"};
#undef X
  return names[static_cast<std::size_t>(op)];
}

inline bool is_builtin(Op op) { return operator_of(op) != Operator::of_program; }

/// Operators that mpigraft has made, or null. They combine element by element, as predefined operators do.
struct OwnOperators {
  std::atomic<Op> on_kept{Op::null};  // for types of mpigraft that it keeps until MPI_Finalize
  std::atomic<Op> on_others{Op::null};
};
inline OwnOperators own_operators;
inline bool is_on_kept(Op op) { return op != Op::null && op == own_operators.on_kept.load(std::memory_order_relaxed); }
inline bool is_own(Op op) { return is_on_kept(op) || op == own_operators.on_others.load(std::memory_order_relaxed); }

/// True if `times` (x) distributes over `plus` (+): a x (b + c) = (a x b) + (a x c), except for rounding and overflow.
constexpr bool distributes(Operator times, Operator plus) {
  using enum Operator;
  constexpr std::pair<Operator, Operator> pairs[] = {{sum, max},  {sum, min},   {prod, sum},  {max, min},  {min, max},
                                                     {max, max},  {min, min},   {land, lor},  {lor, land}, {band, bor},
                                                     {bor, band}, {band, bxor}, {band, band}, {bor, bor}};
  return std::ranges::find(pairs, std::pair(times, plus)) != std::end(pairs);
}

}  // namespace mpigraft::abi
