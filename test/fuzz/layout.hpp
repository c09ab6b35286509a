// SPDX-License-Identifier: MIT
// Derived datatypes, each with its meaning: where its units lie.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "shim/bench/kinds.h"
#include "test/fuzz/random.hpp"

namespace mpigraft::fuzz {

using Kind = ::kind;

/// MPICH 4.2.1 and 5.0.2 divide by zero when they copy elements of no bytes that have an extent. In 4.2.1 a
/// broadcast hangs that has such elements on one rank and no elements on another.
#ifdef MPICH_NUMVERSION
constexpr bool draws_empty_elements = MPICH_NUMVERSION < 40100000;
#else  // a program of the standard ABI does not know its MPI
constexpr bool draws_empty_elements = false;
#endif

/// A committed datatype of some units of one kind; freed with the last copy.
class Layout {
 public:
  /// The kind's own type.
  explicit Layout(const Kind& kind);

  /// A few random constructors, one on top of the other. Unless `bare`, elements may lie between the parts of
  /// others, without an overlap for up to `count` elements, or from high addresses to low ones.
  static Layout draw(Random& random, const Kind& kind, std::int64_t count, bool bare);
  /// `n` units in a row as one element.
  static Layout row(const Kind& kind, std::int64_t n);

  /// The same at an absolute address, for MPI_BOTTOM.
  void make_absolute(const char* element_0);
  /// Becomes the type `made`, which has this one at the bytes `at`.
  void become(MPI_Datatype made, const std::vector<std::int64_t>& at, const std::string& text);

  MPI_Datatype type() const { return type_; }
  /// Bytes from element 0 to each unit of it, in the order of the type map.
  const std::vector<std::int64_t>& offsets() const { return offsets_; }
  std::int64_t units() const { return static_cast<std::int64_t>(offsets_.size()); }
  std::int64_t extent() const { return extent_; }
  std::int64_t lowest() const;
  std::int64_t highest() const;
  const std::string& text() const { return text_; }

 private:
  std::int64_t width_;
  MPI_Datatype type_;
  std::shared_ptr<MPI_Datatype> owned_;  // the same, unless it is the kind's
  std::vector<std::int64_t> offsets_{0};
  std::int64_t extent_;
  std::string text_;
};

}  // namespace mpigraft::fuzz
