// SPDX-License-Identifier: MIT
// The MPI-4 forms with MPI_Count; broadcasts that mix both forms, and ranks that describe the same data by
// different counts and datatypes.
#include "../../checked_call.h"
#include "check.h"

static const int lengths[] = {1, 8, 512, 4096, 65536, 524288};  // int64: 8 B to 4 MB
enum { length_count = sizeof lengths / sizeof *lengths };

static int64_t* elements(int r, int n) {
  int64_t* e = filled((size_t)n * sizeof *e);
  small_sums.make(e, n, r, 0);
  return e;
}

static void sum(enum collective c, int n) {
  const int root = n % size;
  int64_t *mine = elements(rank, n), *result = elements(rank, n);
  call_with(c, large_form, &(struct arguments){mine, result, n, MPI_INT64_T, MPI_SUM, root, MPI_COMM_WORLD});
  put_result(&small_sums, c, rank, size, root, n, mine);
  expect_bytes(result, mine, (size_t)n * sizeof *mine, collective_names[c]);
  free(mine), free(result);
}

/// Even ranks call MPI_Bcast, odd ranks MPI_Bcast_c.
static void mixed_forms(int n) {
  const int root = n % size;
  int64_t *result = elements(rank, n), *want = elements(root, n);
  if (rank % 2 == 0) MPI_Bcast(result, n, MPI_INT64_T, root, MPI_COMM_WORLD);
  if (rank % 2 == 1) MPI_Bcast_c(result, n, MPI_INT64_T, root, MPI_COMM_WORLD);
  expect_bytes(result, want, (size_t)n * sizeof *want, "mixed forms");
  free(result), free(want);
}

/// The root sends every other element of its array as one vector; odd ranks receive elements, even ranks one block.
static void mixed_signatures(int n) {
  const int root = n % size, at_root = rank == root;
  MPI_Datatype type;
  if (at_root) MPI_Type_vector(n, 1, 2, MPI_INT64_T, &type);
  if (!at_root) MPI_Type_contiguous(rank % 2 == 0 ? n : 1, MPI_INT64_T, &type);
  MPI_Type_commit(&type);
  int64_t *result = elements(root, 2 * n), *want = elements(root, 2 * n);
  if (!at_root) memset(result, canary, 2 * (size_t)n * sizeof *result);
  for (int i = 0; !at_root && i < n; ++i) want[i] = small(root, 2 * i);
  MPI_Bcast(result, at_root || rank % 2 == 0 ? 1 : n, type, root, MPI_COMM_WORLD);
  expect_bytes(result, want, (size_t)n * sizeof *want, "mixed signatures");
  MPI_Type_free(&type);
  free(result), free(want);
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  skip_under_open_mpi("it has no MPI-4");
  for (int k = 0; k < length_count; ++k) {
    char name[40];
    for (int c = 0; c < collective_count; ++c)
      if (facts_of(c).combines) sum(c, lengths[k]);
    mixed_forms(lengths[k]);
    mixed_signatures(lengths[k]);
    snprintf(name, sizeof name, "%zu bytes", (size_t)lengths[k] * sizeof(int64_t));
    end_section(name);
  }
  return finish();
}
