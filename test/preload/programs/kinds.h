// SPDX-License-Identifier: MIT
// Kinds of elements: a datatype, an operator, and the same operator in plain C.
#ifndef KINDS_H
#define KINDS_H

#include "collectives.h"

/// `make` and `join` write the data of an element and none of its holes.
struct kind {
  const char* name;
  size_t size;  // bytes from one element to the next
  void (*make)(void* element, int r, int64_t i);
  void (*join)(const void* lower, void* upper);  // upper := lower (+) upper
  MPI_Datatype type;
  MPI_Op op;
};

static inline void make_int64(void* element, int r, int64_t i) { *(int64_t*)element = small(r, i); }
static inline void join_int64(const void* lower, void* upper) { *(int64_t*)upper += *(const int64_t*)lower; }

static inline void make_double(void* element, int r, int64_t i) { *(double*)element = (double)small(r, i) / 8; }
static inline void join_double(const void* lower, void* upper) {
  if (*(const double*)lower > *(double*)upper) *(double*)upper = *(const double*)lower;
}

struct located {
  double value;
  int index;
};

/// Few different values, so that ties decide.
static inline void make_located(void* element, int r, int64_t i) {
  struct located* e = element;
  e->value = (double)(value(r, i) % 3), e->index = r;
}
static inline void join_located(const void* lower, void* upper) {
  const struct located* a = lower;
  struct located* b = upper;
  if (a->value < b->value || (a->value == b->value && a->index < b->index)) b->value = a->value, b->index = a->index;
}

struct matrix {
  uint64_t m[2][2];
};

static inline void make_matrix(void* element, int r, int64_t i) {
  struct matrix* e = element;
  for (int k = 0; k < 4; ++k) e->m[k / 2][k % 2] = value(r, 4 * i + k);
}
static inline void join_matrix(const void* lower, void* upper) {
  const struct matrix *a = lower, b = *(struct matrix*)upper;
  struct matrix* product = upper;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) product->m[i][j] = a->m[i][0] * b.m[0][j] + a->m[i][1] * b.m[1][j];
}

/// The map x -> factor * x + offset, with holes before, between and behind.
struct gappy {
  char before[4];
  uint32_t offset;
  char between[4];
  uint32_t factor;
  char behind[4];
};

static inline void make_gappy(void* element, int r, int64_t i) {
  struct gappy* e = element;
  e->offset = (uint32_t)value(r, 2 * i), e->factor = (uint32_t)value(r, 2 * i + 1);
}
static inline void join_gappy(const void* lower, void* upper) {
  const struct gappy* a = lower;
  struct gappy* b = upper;
  b->offset += b->factor * a->offset, b->factor *= a->factor;
}

#define USER_FUNCTION(name, join, type)                                 \
  static void name(void* in, void* inout, int* n, MPI_Datatype* d) {    \
    (void)d;                                                            \
    for (int i = 0; i < *n; ++i) join((type*)in + i, (type*)inout + i); \
  }
USER_FUNCTION(multiply_matrices, join_matrix, struct matrix)
USER_FUNCTION(compose_gappy, join_gappy, struct gappy)

static inline MPI_Datatype matrix_type(void) {
  MPI_Datatype type;
  MPI_Type_contiguous(4, MPI_UINT64_T, &type);
  MPI_Type_commit(&type);
  return type;
}

static inline MPI_Datatype gappy_type(void) {
  const int places[] = {1, 3};
  MPI_Datatype dense, type;
  MPI_Type_create_indexed_block(2, 1, places, MPI_UINT32_T, &dense);
  MPI_Type_create_resized(dense, 0, sizeof(struct gappy), &type);
  MPI_Type_commit(&type);
  MPI_Type_free(&dense);
  return type;
}

enum { kind_count = 5, matrix_kind = 3, gappy_kind = 4 };

/// Fills `kinds` in; `free_kinds` frees what that made.
static inline void make_kinds(struct kind kinds[kind_count]) {
  MPI_Op multiply, compose;
  MPI_Op_create(multiply_matrices, 0, &multiply);
  MPI_Op_create(compose_gappy, 0, &compose);
  kinds[0] = (struct kind){"int64 sum", 8, make_int64, join_int64, MPI_INT64_T, MPI_SUM};
  kinds[1] = (struct kind){"double max", 8, make_double, join_double, MPI_DOUBLE, MPI_MAX};
  kinds[2] = (struct kind){"minloc", sizeof(struct located), make_located, join_located, MPI_DOUBLE_INT, MPI_MINLOC};
  kinds[matrix_kind] =
      (struct kind){"matrix product", sizeof(struct matrix), make_matrix, join_matrix, matrix_type(), multiply};
  kinds[gappy_kind] =
      (struct kind){"type with holes", sizeof(struct gappy), make_gappy, join_gappy, gappy_type(), compose};
}

static inline void free_kinds(struct kind kinds[kind_count]) {
  for (int k = matrix_kind; k < kind_count; ++k) {
    MPI_Type_free(&kinds[k].type);
    MPI_Op_free(&kinds[k].op);
  }
}

#endif
