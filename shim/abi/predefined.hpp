// SPDX-License-Identifier: MIT
// MPI's predefined types and operators as data.
#pragma once

#include <atomic>
#include <cstdint>

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
  floating_and_index,  // for MINLOC and MAXLOC
  two_floating,        // the same, of Fortran, whose index is a number like the other
};

struct TypeFacts {
  Content content = Content::other;
  bool extended = false;    // long double, not all of whose bytes count
  std::uint8_t number = 0;  // its own among the predefined types without parts; 0: it is none of them
  int bytes = 0;            // of an element, where it has a number
};

/// A derived type: nothing is known.
TypeFacts facts_of(Type type);

/// A predefined type, but for some with an index, which are derived ones to the library.
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
  other,  // predefined
};

Operator operator_of(Op op);
inline bool is_builtin(Op op) { return operator_of(op) != Operator::of_program; }

/// Operators that mpigraft has made, or null. They combine element by element, as predefined ones do.
struct OwnOperators {
  std::atomic<Op> on_kept{Op::null};  // on types of mpigraft's that stay what they are
  std::atomic<Op> on_others{Op::null};
};
inline OwnOperators own_operators;
inline bool is_on_kept(Op op) { return op != Op::null && op == own_operators.on_kept.load(std::memory_order_relaxed); }
inline bool is_own(Op op) { return is_on_kept(op) || op == own_operators.on_others.load(std::memory_order_relaxed); }

}  // namespace mpigraft::abi
