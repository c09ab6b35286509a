// SPDX-License-Identifier: MIT
// Floating point numbers of both signs, whose sums depend on the order: `floats same_bits|random_sums`.
#include <complex.h>
#include <float.h>
#include <math.h>
#include <unistd.h>

#include "check.h"

enum { calls = 100, numbers = 33, count = 200 };

/// Between 0.5 and 2, of either sign; the same on every rank that asks.
static double term(int r, int i) {
  const uint64_t x = value(r, i);
  const double size_of_it = 0.5 + 1.5 * (double)(x >> 11) * 0x1p-53;
  return x & 1 ? -size_of_it : size_of_it;
}

static void sum(enum collective c, double* mine, double* result) {
  memset(result, 0, numbers * sizeof *result);
  call_with(c, plain_form, &(struct arguments){mine, result, numbers, MPI_DOUBLE, MPI_SUM, size / 2, MPI_COMM_WORLD});
}

static void repeat(enum collective c) {
  double mine[numbers], first[numbers], again[numbers];
  for (int i = 0; i < numbers; ++i) mine[i] = term(rank, i);
  sum(c, mine, first);
  expect_bytes(first, first, sizeof first, "");  // into the checksum of all ranks
  for (int k = 1; k < calls; ++k) {
    if (k % 10 == 0 && k / 10 % size == rank) usleep(2000);
    sum(c, mine, again);
    expect(memcmp(first, again, sizeof first) == 0, "other bits");
  }
  end_section(collective_names[c]);
}

/// The same call gives the same bits 100 times, whichever rank is late.
SCENE(same_bits) {
  for (int c = 0; c < collective_count; ++c)
    if (facts_of(c).combines) repeat(c);
}

/// An operator and a type of the program, which shows MPI nothing but bytes.
static MPI_Op add;
static MPI_Datatype in_bytes;

static void add_doubles(void* in, void* inout, int* n, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *n; ++i) ((double*)inout)[i] += ((double*)in)[i];
}

struct floating {
  const char* name;
  MPI_Datatype type;
  size_t bytes;
  long double epsilon;
};

static void put(const struct floating* k, void* buffer, int i, int r) {
  if (k->type == MPI_FLOAT) ((float*)buffer)[i] = (float)term(r, i);
  if (k->type == MPI_DOUBLE || k->type == in_bytes) ((double*)buffer)[i] = term(r, i);
  if (k->type == MPI_LONG_DOUBLE) ((long double*)buffer)[i] = (long double)term(r, i) / 3;
  if (k->type == MPI_C_DOUBLE_COMPLEX) ((double complex*)buffer)[i] = term(r, i) + term(r, i + count) * I;
}

static long double complex get(const struct floating* k, const void* buffer, int i) {
  if (k->type == MPI_FLOAT) return ((const float*)buffer)[i];
  if (k->type == MPI_DOUBLE || k->type == in_bytes) return ((const double*)buffer)[i];
  if (k->type == MPI_LONG_DOUBLE) return ((const long double*)buffer)[i];
  return ((const double complex*)buffer)[i];
}

/// True if element i of the result over ranks 0 to `end` - 1 is as near as any order of them.
static int is_near(const struct floating* k, MPI_Op op, const void* result, int i, int end, void* scratch) {
  long double complex all = op == MPI_PROD ? 1 : 0;
  long double magnitude = 0;
  for (int r = 0; r < end; ++r) {
    put(k, scratch, i, r);
    const long double complex x = get(k, scratch, i);
    all = op == MPI_PROD ? all * x : op != MPI_MAX ? all + x : r == 0 || creall(x) > creall(all) ? x : all;
    magnitude += cabsl(x);
  }
  if (op == MPI_PROD) magnitude = cabsl(all);
  return cabsl(get(k, result, i) - all) <= 4 * end * k->epsilon * magnitude;
}

static void run(const struct floating* k, MPI_Op op, const char* name) {
  char* mine = (char*)filled(count * k->bytes);
  char* result = (char*)filled(count * k->bytes);
  for (int i = 0; i < count; ++i) put(k, mine, i, rank);
  char* scratch = (char*)filled(count * k->bytes);
  MPI_Scan(mine, result, count, k->type, op, MPI_COMM_WORLD);
  for (int i = 0; i < count; ++i) expect(is_near(k, op, result, i, rank + 1, scratch), "scan");
  MPI_Exscan(mine, result, count, k->type, op, MPI_COMM_WORLD);
  for (int i = 0; i < count && rank > 0; ++i) expect(is_near(k, op, result, i, rank, scratch), "exscan");
  const int root = size - 1;
  MPI_Reduce(mine, result, count, k->type, op, root, MPI_COMM_WORLD);
  for (int i = 0; i < count && rank == root; ++i) expect(is_near(k, op, result, i, size, scratch), "reduce");
  MPI_Bcast(result, count, k->type, root, MPI_COMM_WORLD);
  for (int i = 0; i < count; ++i) expect(is_near(k, op, result, i, size, scratch), "bcast");
  free(mine), free(result), free(scratch);
  end_section(name);
}

/// Scans and reductions, of which it expects no more than that they are near. Prints nothing that depends on the order.
SCENE(random_sums) {
  const struct floating kinds[] = {{"float", MPI_FLOAT, sizeof(float), FLT_EPSILON},
                                   {"double", MPI_DOUBLE, sizeof(double), DBL_EPSILON},
                                   {"long double", MPI_LONG_DOUBLE, sizeof(long double), LDBL_EPSILON},
                                   {"double complex", MPI_C_DOUBLE_COMPLEX, sizeof(double complex), DBL_EPSILON}};
  for (int k = 0; k < 4; ++k) {
    run(&kinds[k], MPI_SUM, kinds[k].name);
    run(&kinds[k], MPI_PROD, kinds[k].name);
    if (k < 3) run(&kinds[k], MPI_MAX, kinds[k].name);
  }
  MPI_Op_create(add_doubles, 1, &add);
  in_bytes = contiguous_type(sizeof(double), MPI_BYTE);
  run(&(struct floating){"double in bytes", in_bytes, sizeof(double), DBL_EPSILON}, add, "double in bytes");
  MPI_Type_free(&in_bytes), MPI_Op_free(&add);
}

int main(int argc, char** argv) { return play_by(argc, argv); }
