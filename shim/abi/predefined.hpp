// SPDX-License-Identifier: MIT
// MPI's predefined types and operators as data.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>

#include "shim/abi/handles.hpp"

namespace mpigraft::abi {

/// The content of an element.
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

enum class Operator : std::uint8_t {
  of_program,
  max,
  min,
  sum,
  prod,
  land,
  band,
  lor,
  bor,
  lxor,
  bxor,
  minloc,
  maxloc,
  other,  // predefined, but none of these
};

Operator operator_of(Op op);

/// The operator's name, such as "MPI_SUM", or words for one without a name.
constexpr std::string_view name_of(Operator op) {
  constexpr std::array<std::string_view, 12> names{"MPI_MAX",  "MPI_MIN",  "MPI_SUM",    "MPI_PROD",
                                                   "MPI_LAND", "MPI_BAND", "MPI_LOR",    "MPI_BOR",
                                                   "MPI_LXOR", "MPI_BXOR", "MPI_MINLOC", "MPI_MAXLOC"};
  static_assert(names.size() == static_cast<std::size_t>(Operator::maxloc));
  if (op == Operator::of_program) return "a user-defined operator";
  return op == Operator::other ? "a predefined operator" : names[static_cast<std::size_t>(op) - 1];
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

/// Pairs (x, +) of operators with a x (b + c) = (a x b) + (a x c), except for rounding and overflow.
inline constexpr std::array<std::array<Operator, 2>, 14> distributive{{{Operator::sum, Operator::max},
                                                                       {Operator::sum, Operator::min},
                                                                       {Operator::prod, Operator::sum},
                                                                       {Operator::max, Operator::min},
                                                                       {Operator::min, Operator::max},
                                                                       {Operator::max, Operator::max},
                                                                       {Operator::min, Operator::min},
                                                                       {Operator::land, Operator::lor},
                                                                       {Operator::lor, Operator::land},
                                                                       {Operator::band, Operator::bor},
                                                                       {Operator::bor, Operator::band},
                                                                       {Operator::band, Operator::bxor},
                                                                       {Operator::band, Operator::band},
                                                                       {Operator::bor, Operator::bor}}};

/// True if `times` distributes over `plus`.
constexpr bool distributes(Operator times, Operator plus) {
  for (const auto& [x, over] : distributive)
    if (x == times && over == plus) return true;
  return false;
}

}  // namespace mpigraft::abi
