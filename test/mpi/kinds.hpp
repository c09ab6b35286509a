// SPDX-License-Identifier: MIT
// Element kinds for the conformance tests: a datatype, an operator, and the same operator in plain C++, so that
// results are computed locally and never by another collective.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace mpigraft::test {

inline std::uint64_t mix(int rank, std::int64_t i) {
  std::uint64_t x = static_cast<std::uint64_t>(rank) * 0x9e3779b97f4a7c15ULL + static_cast<std::uint64_t>(i) + 1;
  x = (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9ULL;
  return x ^ (x >> 32);
}

/// Datatypes and operators that the kinds have made, for `free_kinds`.
struct MadeForKinds {
  std::vector<MPI_Datatype> types;
  std::vector<MPI_Op> operators;
};
inline MadeForKinds made_for_kinds;

/// Call this before MPI_Finalize: MPICH complains of what is left.
inline void free_kinds() {
  for (MPI_Datatype& type : made_for_kinds.types) MPI_Type_free(&type);
  for (MPI_Op& op : made_for_kinds.operators) MPI_Op_free(&op);
}

/// A user operator of `K::join`, as MPI calls it: inout[i] = in[i] (+) inout[i].
template <class K>
void user_function(void* in, void* inout, int* n, MPI_Datatype*) {
  auto* lower = static_cast<typename K::Element*>(in);
  auto* upper = static_cast<typename K::Element*>(inout);
  for (int i = 0; i < *n; ++i) K::set(upper[i], K::join(lower[i], upper[i]));
}

template <class K>
MPI_Op user_operator() {
  static MPI_Op op = [] {
    MPI_Op made;
    MPI_Op_create(user_function<K>, 0, &made);
    made_for_kinds.operators.push_back(made);
    return made;
  }();
  return op;
}

struct Int64Sum {
  using Element = std::int64_t;
  static constexpr const char* name = "int64 sum";
  static MPI_Datatype type() { return MPI_INT64_T; }
  static MPI_Op op() { return MPI_SUM; }
  static Element make(int r, std::int64_t i) { return static_cast<Element>(mix(r, i) >> 8); }
  static Element join(Element a, Element b) { return a + b; }
  static void set(Element& to, Element from) { to = from; }
  static bool equal(Element a, Element b) { return a == b; }
};

/// Small whole numbers: exact in any order.
struct DoubleSum {
  using Element = double;
  static constexpr const char* name = "double sum";
  static MPI_Datatype type() { return MPI_DOUBLE; }
  static MPI_Op op() { return MPI_SUM; }
  static Element make(int r, std::int64_t i) { return static_cast<double>(mix(r, i) % 4096); }
  static Element join(Element a, Element b) { return a + b; }
  static void set(Element& to, Element from) { to = from; }
  static bool equal(Element a, Element b) { return a == b; }
};

/// The maximum of zeros of both signs is the lowest rank's: neither sign is greater.
struct MaxOfZeros {
  using Element = double;
  static constexpr const char* name = "maximum of zeros";
  static MPI_Datatype type() { return MPI_DOUBLE; }
  static MPI_Op op() { return MPI_MAX; }
  static Element make(int r, std::int64_t i) { return mix(r, i) % 2 ? -0.0 : 0.0; }
  static Element join(Element a, Element) { return a; }
  static void set(Element& to, Element from) { to = from; }
  static bool equal(Element a, Element b) { return std::memcmp(&a, &b, sizeof a) == 0; }
};

/// 2x2 matrices modulo 2^64: associative, not commutative.
struct Matrix {
  struct Element {
    std::uint64_t m[4];
  };
  static constexpr const char* name = "matrix product (user operator)";
  static MPI_Datatype type() {
    static MPI_Datatype type = [] {
      MPI_Datatype made;
      MPI_Type_contiguous(4, MPI_UINT64_T, &made);
      MPI_Type_commit(&made);
      made_for_kinds.types.push_back(made);
      return made;
    }();
    return type;
  }
  static MPI_Op op() { return user_operator<Matrix>(); }
  static Element make(int r, std::int64_t i) {
    return {{mix(r, 4 * i), mix(r, 4 * i + 1), mix(r, 4 * i + 2), mix(r, 4 * i + 3)}};
  }
  static Element join(const Element& a, const Element& b) {
    return {{a.m[0] * b.m[0] + a.m[1] * b.m[2], a.m[0] * b.m[1] + a.m[1] * b.m[3], a.m[2] * b.m[0] + a.m[3] * b.m[2],
             a.m[2] * b.m[1] + a.m[3] * b.m[3]}};
  }
  static void set(Element& to, const Element& from) { to = from; }
  static bool equal(const Element& a, const Element& b) { return std::memcmp(&a, &b, sizeof a) == 0; }
};

/// Many ties; padding after `index`.
struct MinLoc {
  struct Element {
    double value;
    int index;
  };
  static constexpr const char* name = "minloc double_int";
  static MPI_Datatype type() { return MPI_DOUBLE_INT; }
  static MPI_Op op() { return MPI_MINLOC; }
  static Element make(int r, std::int64_t i) { return {static_cast<double>(mix(r, i) % 3), r}; }
  static Element join(Element a, Element b) {
    if (a.value != b.value) return a.value < b.value ? a : b;
    return a.index < b.index ? a : b;
  }
  static void set(Element& to, const Element& from) {
    to.value = from.value;
    to.index = from.index;
  }
  static bool equal(Element a, Element b) { return a.value == b.value && a.index == b.index; }
};

/// Composition of x -> scale * x + shift, with a hole between the two and one behind.
struct Holes {
  struct Element {
    std::uint32_t scale;
    char hole[12];
    std::uint32_t shift;
    char tail[4];
  };
  static constexpr const char* name = "derived type with holes (user operator)";
  static MPI_Datatype type() {
    static MPI_Datatype type = [] {
      const int lengths[] = {1, 1};
      const MPI_Aint offsets[] = {offsetof(Element, scale), offsetof(Element, shift)};
      const MPI_Datatype parts[] = {MPI_UINT32_T, MPI_UINT32_T};
      MPI_Datatype packed, made;
      MPI_Type_create_struct(2, lengths, offsets, parts, &packed);
      MPI_Type_create_resized(packed, 0, sizeof(Element), &made);
      MPI_Type_commit(&made);
      MPI_Type_free(&packed);
      made_for_kinds.types.push_back(made);
      return made;
    }();
    return type;
  }
  static MPI_Op op() { return user_operator<Holes>(); }
  static Element make(int r, std::int64_t i) {
    Element e{};
    e.scale = static_cast<std::uint32_t>(mix(r, 2 * i)), e.shift = static_cast<std::uint32_t>(mix(r, 2 * i + 1));
    return e;
  }
  static Element join(const Element& a, const Element& b) {
    Element e{};
    e.scale = a.scale * b.scale, e.shift = a.shift * b.scale + b.shift;
    return e;
  }
  static void set(Element& to, const Element& from) { to.scale = from.scale, to.shift = from.shift; }
  static bool equal(const Element& a, const Element& b) { return a.scale == b.scale && a.shift == b.shift; }
};

}  // namespace mpigraft::test
