// SPDX-License-Identifier: MIT
// All collectives on four communicators: types, operators, counts, roots, MPI_IN_PLACE; holes, the elements
// around a buffer, and what a rank must not touch keep their bytes.
#include "kinds.h"

enum in_place { nowhere, everywhere, odd_ranks };  // where only the root may, `everywhere` means there

struct test {
  enum collective collective;
  const struct kind* kind;
  MPI_Comm comm;
  int count, root;
  enum in_place in_place;
};

/// One test seen from one rank. Buffers hold one element more at each end.
struct view {
  int r, p;
  struct ranks own;  // r alone
  size_t bytes;
  char *input, *output, *wanted;
};

static char* element(const struct test* t, char* buffer, int i) { return buffer + (size_t)(i + 1) * t->kind->size; }

/// buffer := x_lo (+) ... (+) x_(hi - 1)
static void fold(const struct test* t, char* buffer, struct ranks ranks) {
  char* next = filled(t->kind->size);
  for (int i = 0; i < t->count; ++i) {
    t->kind->make(element(t, buffer, i), ranks.lo, i);
    for (int r = ranks.lo + 1; r < ranks.hi; ++r) {
      t->kind->make(next, r, i);
      t->kind->join(element(t, buffer, i), next);
      memcpy(element(t, buffer, i), next, t->kind->size);
    }
  }
  free(next);
}

/// Reductions to another root than 0 not above 2 KB, where MPICH 4.0.2 itself crashes.
static int is_in_place(const struct test* t, int r) {
  if (!takes_in_place(t->collective, r, t->root)) return input_in_result(t->collective, r, t->root);
  if (facts_of(t->collective).rooted) return t->in_place == everywhere && (r == 0 || t->count < 1000);
  return t->in_place == everywhere || (t->in_place == odd_ranks && r % 2 == 1);
}

static void want(const struct test* t, const struct view* v) {
  if (has_result(t->collective, v->r, t->root))
    fold(t, v->wanted, sources_of(t->collective, v->r, v->p, t->root));
  else if (is_in_place(t, v->r))
    fold(t, v->wanted, v->own);
}

static void call(const struct test* t, const void* send, void* recv) {
  const struct arguments a = {send, recv, t->count, t->kind->type, t->kind->op, t->root, t->comm};
  call_with(t->collective, 0, &a);
}

static void run(struct test t) {
  struct view v = {.bytes = (size_t)(t.count + 2) * t.kind->size};
  MPI_Comm_rank(t.comm, &v.r);
  MPI_Comm_size(t.comm, &v.p);
  v.own = (struct ranks){v.r, v.r + 1};
  t.root %= v.p;
  v.input = filled(v.bytes), v.output = filled(v.bytes), v.wanted = filled(v.bytes);
  fold(&t, v.input, v.own);
  const int in_place = is_in_place(&t, v.r);
  if (in_place) fold(&t, v.output, v.own);
  want(&t, &v);
  call(&t, in_place ? MPI_IN_PLACE : element(&t, v.input, 0), element(&t, v.output, 0));
  expect_bytes(v.output, v.wanted, v.bytes, collective_names[t.collective]);
  memset(v.wanted, canary, v.bytes);
  fold(&t, v.wanted, v.own);
  expect(memcmp(v.input, v.wanted, v.bytes) == 0, "the send buffer changed");
  free(v.input), free(v.output), free(v.wanted);
}

static void end_named(const struct test* t, const char* where) {
  char name[80];
  snprintf(name, sizeof name, "%s %s%s", collective_names[t->collective], t->kind->name, where);
  end_section(name);
}

static void every_kind_and_count(const struct kind* kinds, int how_many) {
  static const int counts[] = {1, 7, 1000};
  for (int c = 0; c < collective_count; ++c)
    for (int k = 0; k < how_many; ++k) {
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

/// With the argument `commutative` only operators that are.
int main(int argc, char** argv) {
  struct kind kinds[kind_count];
  start(&argc, &argv);
  make_kinds(kinds);
  const int all = argc < 2 || strcmp(argv[1], "commutative") != 0;
  every_kind_and_count(kinds, all ? kind_count : matrix_kind);
  every_root(&kinds[all ? matrix_kind : 0]);
  other_communicators(&kinds[all ? matrix_kind : 0]);
  free_kinds(kinds);
  return finish();
}
