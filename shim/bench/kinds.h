// SPDX-License-Identifier: MIT
// THE model of elements for C programs and C++ tests: datatypes, operators on them, and the same operators in plain C.
// Expected results come from it, never from another collective. Every order of evaluation gives the same result:
// integers wrap, floating point numbers are small whole ones in sums and powers of two in products.
#ifndef KINDS_H
#define KINDS_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/// Random bits for element `i` of rank `r`.
static inline uint64_t value(int r, int64_t i) {
  uint64_t x = (uint64_t)(r + 1) * 0x9e3779b97f4a7c15u + (uint64_t)i;
  x = (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9u;
  return x ^ (x >> 32);
}

enum { canary = 0xA5 };

/// Memory whose bytes show what was written.
static inline void* filled(size_t bytes) {
  void* memory = malloc(bytes + 1);
  if (memory == NULL) exit(2);
  return memset(memory, canary, bytes);
}

/// Elements lie one after the other. No function writes holes of an element.
struct kind {
  const char *type_name, *op_name;
  MPI_Datatype type;
  MPI_Op op;  // MPI_OP_NULL: one that the program makes
  bool commutes;
  size_t size;                                                    // bytes from one element to the next
  void (*make)(void* elements, int64_t n, int r, int64_t first);  // elements first to first + n - 1 of rank r
  void (*join)(const void* lower, void* upper, int64_t n);        // upper := lower (+) upper
  void (*copy)(const void* from, void* to, int64_t n);
  bool (*equal)(const void* x, const void* y);  // of one element each
};

/// result := x_lo (+) ... (+) x_(hi - 1), in the elements first to first + n - 1 of these ranks.
static inline void combine_ranks(const struct kind* kind, int lo, int hi, int64_t first, int64_t n, void* result) {
  void* const lower = filled((size_t)n * kind->size);
  kind->make(result, n, hi - 1, first);
  for (int r = hi - 2; r >= lo; --r) {
    kind->make(lower, n, r, first);
    kind->join(lower, result, n);
  }
  free(lower);
}

// The functions for elements of type T. A statement of `make` sees the bits of element i and sets e; those of the
// others work on a and b.
#define MAKE(T, values, statement)                                                    \
  static inline void make_##T##_##values(void* to, int64_t n, int r, int64_t first) { \
    for (int64_t i = first; i < first + n; ++i) {                                     \
      const uint64_t bits = value(r, i);                                              \
      T* const e = (T*)to + (i - first);                                              \
      (void)bits;                                                                     \
      statement;                                                                      \
    }                                                                                 \
  }
#define PAIRWISE(name, T, statement)                                   \
  static inline void name(const void* lower, void* upper, int64_t n) { \
    for (int64_t i = 0; i < n; ++i) {                                  \
      const T* const a = (const T*)lower + i;                          \
      T* const b = (T*)upper + i;                                      \
      statement;                                                       \
    }                                                                  \
  }
#define JOIN(T, op, statement) PAIRWISE(join_##T##_##op, T, statement)
#define TYPE(T, are_equal, copies)                             \
  PAIRWISE(copy_##T, T, copies)                                \
  static inline bool equal_##T(const void* x, const void* y) { \
    const T *const a = (const T*)x, *const b = (const T*)y;    \
    return are_equal;                                          \
  }
#define NUMBER(T) TYPE(T, *a == *b, memcpy(b, a, sizeof *a))

// clang-format off
#define LOGICAL(T) NUMBER(T)              \
  MAKE(T, truth, *e = (T)(bits % 3 == 0)) \
  JOIN(T, LAND, *b = (T)(*a && *b))       \
  JOIN(T, LOR, *b = (T)(*a || *b))        \
  JOIN(T, LXOR, *b = (T)(!*a != !*b))
#define ORDERED(T)                   \
  JOIN(T, MAX, if (*a > *b) *b = *a) \
  JOIN(T, MIN, if (*a < *b) *b = *a)
// MPICH 4.0.2 compares unsigned integers as signed ones, so comparable ones lack the highest bit.
#define INTEGER(T) LOGICAL(T) ORDERED(T)                             \
  MAKE(T, any, *e = (T)bits)                                         \
  MAKE(T, odd, *e = (T)(bits | 1))                                   \
  MAKE(T, comparable, *e = (T)((T)bits >> ((T)-1 > (T)1 ? 1 : 0)))   \
  JOIN(T, BAND, *b = (T)(*a & *b))                                   \
  JOIN(T, BOR, *b = (T)(*a | *b))                                    \
  JOIN(T, BXOR, *b = (T)(*a ^ *b))                                   \
  JOIN(T, SUM, *b = (T)((uint64_t)*a + (uint64_t)*b))                \
  JOIN(T, PROD, *b = (T)((uint64_t)*a * (uint64_t)*b))
// x -> scale * x + shift, one half of the bits each. Does not commute.
#define UNSIGNED_INTEGER(T) INTEGER(T)                                    \
  JOIN(T, affine, const int half = 4 * sizeof(T);                         \
       const uint64_t low = ((uint64_t)1 << half) - 1;                    \
       const uint64_t scale = (*a & low) * (*b & low);                    \
       const uint64_t shift = (uint64_t)(*a >> half) * (*b & low) + (uint64_t)(*b >> half); \
       *b = (T)((scale & low) | (shift & low) << half))
#define REAL(T) NUMBER(T) ORDERED(T)                  \
  MAKE(T, small, *e = (T)((int)(bits % 2048) - 1024)) \
  MAKE(T, powers, *e = (T)power_of_two(bits))         \
  JOIN(T, SUM, *b = *a + *b)                          \
  JOIN(T, PROD, *b = *a * *b)
#define COMPLEX(R, T)                                                                                              \
  typedef struct { R re, im; } T;                                                                                  \
  TYPE(T, a->re == b->re && a->im == b->im, *b = *a)                                                               \
  MAKE(T, small, e->re = (R)(bits % 1024); e->im = (R)(bits >> 32 & 1023))                                         \
  MAKE(T, powers, e->re = (R)(bits & 4 ? 0 : power_of_two(bits)); e->im = (R)(bits & 4 ? power_of_two(bits) : 0)) \
  JOIN(T, SUM, b->re += a->re; b->im += a->im)                                                                     \
  JOIN(T, PROD, const T c = *b; b->re = a->re * c.re - a->im * c.im; b->im = a->re * c.im + a->im * c.re)
// Few different values, so that ties decide.
#define LOCATED(V, T)                                                                                               \
  typedef struct { V value; int index; } T;                                                                         \
  TYPE(T, a->value == b->value && a->index == b->index,                                                             \
       memcpy(&b->value, &a->value, sizeof a->value); b->index = a->index)                                          \
  MAKE(T, few, e->value = (V)(bits % 3); e->index = r)                                                              \
  JOIN(T, MINLOC, if (a->value < b->value || (a->value == b->value && a->index < b->index)) copy_##T(a, b, 1))      \
  JOIN(T, MAXLOC, if (a->value > b->value || (a->value == b->value && a->index < b->index)) copy_##T(a, b, 1))

static inline double power_of_two(uint64_t bits) {
  const double powers[] = {0.5, 1, 2, -0.5};
  return powers[bits % 4];
}

typedef long double long_double;
INTEGER(int8_t) INTEGER(int16_t) INTEGER(int32_t) INTEGER(int64_t)
UNSIGNED_INTEGER(uint8_t) UNSIGNED_INTEGER(uint16_t) UNSIGNED_INTEGER(uint32_t) UNSIGNED_INTEGER(uint64_t)
LOGICAL(bool)
REAL(float) REAL(double) REAL(long_double)
COMPLEX(float, complex_float) COMPLEX(double, complex_double)
LOCATED(int32_t, int_int) LOCATED(int16_t, short_int) LOCATED(int64_t, long_int)
LOCATED(float, float_int) LOCATED(double, double_int) LOCATED(long double, long_double_int)

// Rows of kinds.
#define ROW(T, type_name, type, op_name, op, commutes, values, join) \
  {type_name, op_name, type, op, commutes, sizeof(T), make_##T##_##values, join_##T##_##join, copy_##T, equal_##T}
#define OF_MPI(T, type, op, values) ROW(T, "MPI_" #type, MPI_##type, "MPI_" #op, MPI_##op, true, values, op)
#define BITS(T, type) OF_MPI(T, type, BAND, any), OF_MPI(T, type, BOR, any), OF_MPI(T, type, BXOR, any)
#define TRUTHS(T, type) OF_MPI(T, type, LAND, truth), OF_MPI(T, type, LOR, truth), OF_MPI(T, type, LXOR, truth)
#define SHORTS(T, type) OF_MPI(T, type, PROD, odd), OF_MPI(T, type, MAX, comparable), \
  OF_MPI(T, type, MIN, comparable), BITS(T, type), TRUTHS(T, type)
#define INTEGERS(T, type) OF_MPI(T, type, SUM, any), SHORTS(T, type)
#define COMPLEXES(T, type) OF_MPI(T, type, SUM, small), OF_MPI(T, type, PROD, powers)
#define REALS(T, type) COMPLEXES(T, type), OF_MPI(T, type, MAX, small), OF_MPI(T, type, MIN, small)
#define PAIRS(T, type) OF_MPI(T, type, MINLOC, few), OF_MPI(T, type, MAXLOC, few)
#define OF_USER(T, type, values, op, commutes) ROW(T, "MPI_" #type, MPI_##type, "user " #op, MPI_OP_NULL, commutes, values, op)
#define USER(T, type) OF_USER(T, type, any, SUM, true), OF_USER(T, type, odd, affine, false), \
  OF_USER(T, type, any, affine, false)

/// Every predefined operator on every kind of type that it takes.
static const struct kind predefined_kinds[] = {
  INTEGERS(int32_t, INT32_T), INTEGERS(uint32_t, UINT32_T), INTEGERS(int32_t, INT),
  INTEGERS(int64_t, INT64_T), INTEGERS(uint64_t, UINT64_T), INTEGERS(int64_t, LONG),
#ifndef OPEN_MPI  // 4.1 takes short integers' greatest value where a sum is too large
  OF_MPI(int8_t, INT8_T, SUM, any), OF_MPI(uint8_t, UINT8_T, SUM, any),
  OF_MPI(int16_t, INT16_T, SUM, any), OF_MPI(uint16_t, UINT16_T, SUM, any),
#endif
  SHORTS(int8_t, INT8_T), SHORTS(uint8_t, UINT8_T), SHORTS(int16_t, INT16_T), SHORTS(uint16_t, UINT16_T),
  REALS(float, FLOAT), REALS(double, DOUBLE), REALS(long_double, LONG_DOUBLE),
  COMPLEXES(complex_float, C_FLOAT_COMPLEX), COMPLEXES(complex_double, C_DOUBLE_COMPLEX),
  TRUTHS(bool, C_BOOL), BITS(uint8_t, BYTE),
  PAIRS(int_int, 2INT), PAIRS(short_int, SHORT_INT), PAIRS(long_int, LONG_INT),
  PAIRS(float_int, FLOAT_INT), PAIRS(double_int, DOUBLE_INT), PAIRS(long_double_int, LONG_DOUBLE_INT)};

/// Operators of the program on types of 1, 2, 4 and 8 bytes.
static const struct kind user_kinds[] = {
  USER(uint8_t, CHAR), USER(uint8_t, BYTE), USER(uint16_t, SHORT), USER(uint32_t, INT),
  USER(uint32_t, FLOAT), USER(uint64_t, DOUBLE), USER(uint64_t, UINT64_T)};

enum {
  predefined_count = sizeof predefined_kinds / sizeof *predefined_kinds,
  user_count = sizeof user_kinds / sizeof *user_kinds
};

/// The maximum of zeros of both signs is the lowest rank's: neither sign is greater.
typedef struct { double zero; } signed_zero;
TYPE(signed_zero, memcmp(a, b, sizeof *a) == 0, *b = *a)
MAKE(signed_zero, any, e->zero = bits % 2 ? -0.0 : 0.0)
JOIN(signed_zero, lower, *b = *a)
static const struct kind zeros = ROW(signed_zero, "zeros", MPI_DOUBLE, "MPI_MAX", MPI_MAX, false, any, lower);

/// A matrix of numbers modulo 2^64. Its product does not commute.
typedef struct { uint64_t m[2][2]; } matrix_2x2;
TYPE(matrix_2x2, memcmp(a, b, sizeof *a) == 0, *b = *a)
MAKE(matrix_2x2, any, for (int k = 0; k < 4; ++k) e->m[k / 2][k % 2] = value(r, 4 * i + k))
JOIN(matrix_2x2, product, const matrix_2x2 c = *b; for (int k = 0; k < 4; ++k)
  b->m[k / 2][k % 2] = a->m[k / 2][0] * c.m[0][k % 2] + a->m[k / 2][1] * c.m[1][k % 2])

/// The map x -> scale * x + shift, with holes before, between and behind. Composition does not commute.
typedef struct { char before[4]; uint32_t shift; char between[4]; uint32_t scale; char behind[4]; } gappy_map;
TYPE(gappy_map, a->shift == b->shift && a->scale == b->scale, b->shift = a->shift; b->scale = a->scale)
MAKE(gappy_map, any, e->shift = (uint32_t)bits; e->scale = (uint32_t)(bits >> 32))
JOIN(gappy_map, after, b->shift += b->scale * a->shift; b->scale *= a->scale)

MAKE(int32_t, few, *e = (int32_t)(bits % 5) - 2)

/// Sums far below 2^63.
MAKE(int64_t, small, *e = (int64_t)(bits >> 16))
static const struct kind small_sums = ROW(int64_t, "MPI_INT64_T", MPI_INT64_T, "MPI_SUM", MPI_SUM, true, small, SUM);
// clang-format on

/// Element `i` of rank `r` in these sums.
static inline int64_t small(int r, int64_t i) { return (int64_t)(value(r, i) >> 16); }

/// An operator of the program that joins elements by `join`.
#define USER_FUNCTION(name, join)                                              \
  static inline void name(void* in, void* inout, int* n, MPI_Datatype* type) { \
    (void)type;                                                                \
    join(in, inout, *n);                                                       \
  }
USER_FUNCTION(add_integers, join_int64_t_SUM)
USER_FUNCTION(multiply_matrices, join_matrix_2x2_product)
USER_FUNCTION(compose_maps, join_gappy_map_after)

static inline struct kind predefined_kind(MPI_Datatype type, MPI_Op op) {
  int i = 0;
  while (predefined_kinds[i].type != type || predefined_kinds[i].op != op)
    if (++i == predefined_count) exit(2);
  return predefined_kinds[i];
}

static inline struct kind user_kind(MPI_Datatype type, bool commutes) {
  int i = 0;
  while (user_kinds[i].type != type || user_kinds[i].commutes != commutes)
    if (++i == user_count) exit(2);
  return user_kinds[i];
}

/// A type of `n` elements in a row.
static inline MPI_Datatype contiguous_type(int n, MPI_Datatype elements) {
  MPI_Datatype type;
  MPI_Type_contiguous(n, elements, &type);
  MPI_Type_commit(&type);
  return type;
}

static inline struct kind make_matrix_kind(void) {
  struct kind kind = ROW(matrix_2x2, "matrix", MPI_DATATYPE_NULL, "user product", MPI_OP_NULL, false, any, product);
  kind.type = contiguous_type(4, MPI_UINT64_T);
  MPI_Op_create(multiply_matrices, 0, &kind.op);
  return kind;
}

static inline struct kind make_gappy_kind(void) {
  struct kind kind =
      ROW(gappy_map, "type with holes", MPI_DATATYPE_NULL, "user composition", MPI_OP_NULL, false, any, after);
  const int places[] = {1, 3};
  MPI_Datatype dense;
  MPI_Type_create_indexed_block(2, 1, places, MPI_UINT32_T, &dense);
  MPI_Type_create_resized(dense, 0, sizeof(gappy_map), &kind.type);
  MPI_Type_commit(&kind.type);
  MPI_Type_free(&dense);
  MPI_Op_create(compose_maps, 0, &kind.op);
  return kind;
}

/// Frees what the two functions above make.
static inline void free_kind(struct kind* kind) {
  MPI_Type_free(&kind->type);
  MPI_Op_free(&kind->op);
}

#endif
