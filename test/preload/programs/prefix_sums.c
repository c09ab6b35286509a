// SPDX-License-Identifier: MIT
// All collectives on four communicators: types, operators, counts, roots, MPI_IN_PLACE; holes, the elements
// around a buffer, and what a rank must not touch keep their bytes.
#include "check.h"

enum { matrix_kind = 3, gappy_kind, kind_count };

enum in_place { nowhere, everywhere, odd_ranks };  // where only the root may, `everywhere` means there

struct test {
  enum collective collective;
  const struct kind* kind;
  MPI_Comm comm;
  int count, root;
  enum in_place in_place;
};

/// Reductions to another root than 0 not above 2 KB, where MPICH 4.0.2 itself crashes.
static int is_in_place(const struct test* t, int r) {
  if (!takes_in_place(t->collective, r, t->root)) return 0;
  if (facts_of(t->collective).rooted) return t->in_place == everywhere && (r == 0 || t->count < 1000);
  return t->in_place == everywhere || (t->in_place == odd_ranks && r % 2 == 1);
}

static void run(struct test t) {
  int r, p;
  MPI_Comm_rank(t.comm, &r);
  MPI_Comm_size(t.comm, &p);
  t.root %= p;
  const int in_place = is_in_place(&t, r);
  expect(try_on(t.kind, plain_form, t.collective, t.count, t.root, in_place, t.comm) == right_result,
         collective_names[t.collective]);
}

static void end_named(const struct test* t, const char* where) {
  char name[80];
  snprintf(name, sizeof name, "%s %s %s%s", collective_names[t->collective], t->kind->type_name, t->kind->op_name,
           where);
  end_section(name);
}

static void every_kind_and_count(const struct kind* kinds, int how_many) {
  static const int counts[] = {1, 7, 1000};
  for (int c = 0; c < collective_count; ++c)
    for (int k = 0; k < how_many; ++k) {
      // MPICH 4.0.2 itself writes beyond its memory
      if (facts_of(c).result_part && k == gappy_kind) continue;
#ifdef OPEN_MPI  // 4.1.4 itself applies operators that do not commute in another order there
      if (facts_of(c).result_part && k == matrix_kind) continue;
#endif
      struct test t = {.collective = c, .kind = &kinds[k], .comm = MPI_COMM_WORLD};
      for (int n = 0; n < 3; ++n) {
        t.count = counts[n], t.root = k + n, t.in_place = (k + n) % 3;
        run(t);
      }
      end_named(&t, "");
    }
}

static void every_root(const struct kind* kind) {
  for (int c = 0; c < collective_count; ++c) {
    if (!facts_of(c).rooted) continue;
    struct test t = {.collective = c, .kind = kind, .comm = MPI_COMM_WORLD, .count = 7};
    for (t.root = 0; t.root < size; ++t.root) {
      t.in_place = t.root % 2;
      run(t);
    }
    end_named(&t, ", every root");
  }
}

static void other_communicators(const struct kind* kind) {
  static const char* const names_of[] = {", duplicate", ", reversed", ", halves"};
  MPI_Comm comms[3];
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[0]);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comms[1]);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &comms[2]);
  for (int i = 0; i < 3; ++i) {
    use_up_first_calls(comms[i]);
    for (int c = 0; c < collective_count; ++c) {
      struct test t = {c, kind, comms[i], 7, 1, nowhere};
      run(t);
      end_named(&t, names_of[i]);
    }
  }
  for (int i = 0; i < 3; ++i) MPI_Comm_free(&comms[i]);
}

/// With the argument `commutative` it uses only operators that are.
int main(int argc, char** argv) {
  start(&argc, &argv);
  struct kind kinds[] = {predefined_kind(MPI_INT64_T, MPI_SUM), predefined_kind(MPI_DOUBLE, MPI_MAX),
                         predefined_kind(MPI_DOUBLE_INT, MPI_MINLOC), make_matrix_kind(), make_gappy_kind()};
  const int all = argc < 2 || strcmp(argv[1], "commutative") != 0;
  every_kind_and_count(kinds, all ? kind_count : matrix_kind);
  every_root(&kinds[all ? matrix_kind : 0]);
  other_communicators(&kinds[all ? matrix_kind : 0]);
  free_kind(&kinds[matrix_kind]), free_kind(&kinds[gappy_kind]);
  return finish();
}
