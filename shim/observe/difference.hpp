// SPDX-License-Identifier: MIT
// Whether two results of one reduction can both be right. MPI lets a library choose the order of an operator's
// applications, so floating point results may differ, but not by more than rounding allows. Every order of p - 1
// additions is within (p - 1) u of the sum of magnitudes, u the unit roundoff (Higham 2002, sections 4.2 and 3.4).
#pragma once

#include <cstdint>

namespace mpigraft::observe {

/// How an element is made of numbers, and how a result may depend on the order.
struct Kind {
  enum class Number { none, single, twofold, extended };  // float, double, long double; none: anything else
  enum class Rule {
    bits,     // not at all
    values,   // not at all, but equal numbers may differ in bits: zeros, NaNs, padding
    sum,      // by rounding
    product,  // by rounding
    unknown,  // a program's operator on floating point numbers: no bound is known
  };

  std::int64_t element_bytes;  // packed
  Rule rule = Rule::bits;
  Number number = Number::none;
  int numbers = 1;  // that an element begins with; 2: a complex one
};

/// Ordered by gravity; `unjudged`: they differ, and nothing is known that forbids it.
enum class Verdict { identical, rounded, unjudged, different };

struct Deviation {
  Verdict verdict = Verdict::identical;  // the gravest
  std::int64_t elements = 0;             // that are judged so
  std::int64_t first = 0;                // of them
};

/// The term that the bound of a number `x` is made of: the results of adding |x|, or of multiplying max(|x|, 1/|x|),
/// over the same ranks. Where that is far from overflow, no order of the real one over- or underflows.
double magnitude(double x, Kind::Rule rule);

/// Writes the magnitudes of `count` packed elements: one for each number of a sum, one for each element of a product.
void magnitudes(const char* packed, std::int64_t count, const Kind& kind, double* out);

/// Numbers that `magnitudes` writes.
std::int64_t magnitude_count(std::int64_t count, const Kind& kind);

/// True where the packed bytes decide: all alike, or nothing but bits matters.
bool bits_decide(const char* a, const char* b, std::int64_t count, const Kind& kind);

/// Compares the packed results `a` and `b` of `count` elements over `ranks` ranks. `bounds`: combined magnitudes, read
/// where the rule is sum or product.
Deviation compare(const char* a, const char* b, std::int64_t count, const Kind& kind, int ranks, const double* bounds);

}  // namespace mpigraft::observe
