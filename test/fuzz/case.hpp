// SPDX-License-Identifier: MIT
// One call of a collective, drawn at random and described for people.
#pragma once

#include <optional>
#include <string>

#include "shim/bench/collectives.hpp"
#include "test/fuzz/batch.hpp"
#include "test/fuzz/image.hpp"

namespace mpigraft::fuzz {

/// A call, as far as it is equal on all ranks of a communicator.
struct Case {
  std::uint64_t seed;
  std::int64_t number;
  int p;
  Collective collective = Collective::scan;
  std::optional<table::Choice> forced = {};
  const Kind* kind;
  bool commutes = true;  // what MPI is told of a user operator
  bool bare = false;     // may run natively: nothing in it that MPICH 4.0.2 itself gets wrong or refuses
  bool nonblocking = false;
  bool mixed = false;  // a stream of bytes: every rank describes it by types of its own
  int root = 0;
  std::int64_t count = 0;  // elements of the layout
  Layout layout;
  std::vector<std::int64_t> firsts = {};  // where each rank's part begins, and the end; empty without parts
  bool equal_parts = false;               // called by the function for parts of one length

  const CollectiveInfo& facts() const { return info_of(collective); }
  ::collective row() const { return test::row_of(collective); }
  std::int64_t units() const { return count * layout.units(); }
  std::int64_t bytes() const { return units() * static_cast<std::int64_t>(kind->size); }
  std::int64_t part(int rank) const;  // elements
  /// The operand of a rank: all units of the vector, even if the rank gives only its part.
  Values input(int rank) const;
  /// A rank's input, and its result if it has one.
  Values operand(int rank) const;
  Values result(int rank) const;
  std::string text() const;

 private:
  std::int64_t first_value() const;
  Values part_of(const Values& values, int rank) const;
};

/// Most elements that lie unused before a received part.
inline constexpr std::int64_t most_gaps = 2;

/// A pure function of its arguments.
Case draw_case(std::uint64_t seed, std::int64_t number, int p, Selection selection);

/// Makes the call of a case on this rank and judges its result; "" or what is wrong. It chooses what each rank may
/// choose for itself: MPI_IN_PLACE, the _c form, null for buffers that are not significant.
std::string execute(Case c, MPI_Comm comm, int rank);

}  // namespace mpigraft::fuzz
