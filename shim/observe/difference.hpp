// SPDX-License-Identifier: MIT
// Decides if two results of one reduction can both be right. MPI lets a library choose the order of an operator's
// applications (MPI-4.0, 6.9.1), so floating-point results may differ, but not by more than rounding allows. The sum of
// p numbers in any order is within (p - 1) u of the sum of magnitudes, u the unit roundoff (Higham 2002, 4.2 and 3.4).
#pragma once

#include <cstdint>

#include "shim/abi/arguments.hpp"

namespace mpigraft::observe {

/// The numbers in an element, and how far a result may depend on the order.
struct Kind {
  enum class Number { none, single, twofold, extended };  // float, double, long double; none: anything else
  enum class Rule {
    bits,     // all orders give the same bits
    values,   // all orders give equal numbers, whose bits may differ: zeros, NaNs, padding
    sum,      // results differ by rounding
    product,  // results differ by rounding
    unknown,  // no bound is known, as for a program's operator on floating-point numbers
  };

  std::int64_t element_bytes;  // of a packed element
  Rule rule = Rule::bits;
  Number number = Number::none;
  int numbers = 1;  // floating-point numbers at the beginning of an element; 2: a complex number
};

/// The way in which results of a call are compared. REQUIRES: inspect() has filled in the call's facts.
Kind kind_of(const abi::Call& call);

/// The outcome of a comparison, ordered by gravity. `unjudged`: the results differ, and no bound is known.
enum class Verdict { identical, rounded, unjudged, different };

struct Deviation {
  Verdict verdict = Verdict::identical;  // the gravest
  std::int64_t elements = 0;             // number of elements with this verdict
  std::int64_t first = 0;                // the first of them
};

/// Writes the magnitudes of `count` packed elements: one for each number of a sum, one for each element of a product.
void magnitudes(const char* packed, std::int64_t count, const Kind& kind, double* out);

/// The number of magnitudes that magnitudes() writes for `count` elements.
std::int64_t magnitude_count(std::int64_t count, const Kind& kind);

/// True if the packed bytes of `count` elements decide the comparison: all are equal, or only bits matter.
bool bits_decide(const char* a, const char* b, std::int64_t count, const Kind& kind);

/// Compares two packed results of `count` elements each over `ranks` ranks. `bounds` are the combined magnitudes, read
/// only for sums and products.
Deviation compare(const char* a, const char* b, std::int64_t count, const Kind& kind, int ranks, const double* bounds);

}  // namespace mpigraft::observe
