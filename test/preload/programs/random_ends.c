// SPDX-License-Identifier: MIT
// Communicators whose ends make collectives: delete functions of the program, whose attributes the ranks set in orders
// of their own, before, between and after the communicator's calls. Some communicators stay at first, because these
// functions return an error. usage: random_ends [SEED] [COMMUNICATORS]
#include "check.h"

enum { most_attributes = 3 };

static int key, refuses;
static uint64_t common, own;  // state of the random numbers that all ranks have alike, and of this rank's
static uint64_t ending;       // the same for the calls of delete functions, whichever comes first

static void nonblocking(MPI_Comm comm, int r, int p) {
  const int64_t mine[2] = {small(r, 0), small(r, 1)};
  int64_t sums[2] = {0, 0}, prefixes[2] = {0, 0};
  MPI_Request requests[3];
  MPI_Status statuses[3];
  MPI_Iallreduce(mine, sums, 2, MPI_INT64_T, MPI_SUM, comm, &requests[0]);
  MPI_Ibarrier(comm, &requests[1]);
  MPI_Iscan(mine, prefixes, 2, MPI_INT64_T, MPI_SUM, comm, &requests[2]);
  MPI_Waitall(3, requests, statuses);
  for (int i = 0; i < 2; ++i)
    expect(sums[i] == wanted(allreduce, r, p, 0, i) && prefixes[i] == wanted(scan, r, p, 0, i), "nonblocking");
}

static void some_calls(MPI_Comm comm, int n, uint64_t* state) {
  int r, p;
  MPI_Comm_rank(comm, &r);
  MPI_Comm_size(comm, &p);
  for (int i = 0; i < n; ++i) {
    const int c = draw_by(state, collective_count + 1), elements = 1 + draw_by(state, 5000), root = draw_by(state, p);
    if (c == collective_count)
      nonblocking(comm, r, p);
    else
      expect(is_right((enum collective)c, elements, root, comm), "collective");
  }
}

static int on_delete(MPI_Comm comm, int keyval, void* attribute, void* extra) {
  (void)keyval, (void)extra;
  some_calls(attribute ? MPI_COMM_WORLD : comm, 1 + draw_by(&ending, 4), &ending);
  return refuses ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static void end(MPI_Comm* comm, int disconnects) {
  ending = common;
  if (disconnects)
    MPI_Comm_disconnect(comm);
  else
    MPI_Comm_free(comm);
}

/// MPI reports the error to the handler of the communicator or to that of MPI_COMM_WORLD. The attributes may be gone.
static void end_in_vain(MPI_Comm* comm, int disconnects) {
  MPI_Comm_set_errhandler(*comm, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  refuses = 1;
  end(comm, disconnects);
  refuses = 0;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  expect(*comm != MPI_COMM_NULL, "a communicator whose delete functions fail is gone");
  some_calls(*comm, draw_by(&common, 25), &common);
}

/// Attributes of one communicator, each with a key of its own. This rank sets the next one, or not yet.
struct attributes {
  int keys[most_attributes], left;
};
static void maybe_set(struct attributes* all, MPI_Comm comm, int now) {
  while (all->left > 0 && (now || draw_by(&own, 3) == 0)) MPI_Comm_set_attr(comm, all->keys[--all->left], NULL);
}

static void come_and_go(void) {
  MPI_Comm comm;
  if (draw_by(&common, 2))
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  else
    MPI_Comm_split(MPI_COMM_WORLD, draw_by(&common, 2) ? rank % 2 : 0, -rank, &comm);
  struct attributes all = {{0}, 1 + draw_by(&common, most_attributes)};
  for (int i = 0; i < all.left; ++i) MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_delete, &all.keys[i], NULL);
  const int phases = 3, long_lived = draw_by(&common, 3) == 0, disconnects = draw_by(&common, 2), n = all.left;
  for (int phase = 0; phase < phases; ++phase) {
    maybe_set(&all, comm, 0);
    some_calls(comm, long_lived ? 25 : draw_by(&common, 4), &common);
  }
  maybe_set(&all, comm, 1);
  if (draw_by(&common, 4) == 0) end_in_vain(&comm, disconnects);
  end(&comm, disconnects);
  for (int i = 0; i < n; ++i) MPI_Comm_free_keyval(&all.keys[i]);
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  common = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  own = common + 1000 + (uint64_t)rank;
  const int communicators = argc > 2 ? atoi(argv[2]) : 40;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_delete, &key, NULL);
  const int early = draw_by(&own, 2);  // of MPI_COMM_SELF, before or after the first call
  if (early) MPI_Comm_set_attr(MPI_COMM_SELF, key, &key);
  for (int i = 0; i < communicators; ++i) come_and_go();
  if (!early) MPI_Comm_set_attr(MPI_COMM_SELF, key, &key);
  ending = common;
  MPI_Finalize();
  if (rank == 0) printf("%d communicators: %s\n", communicators, failures == 0 ? "ok" : "WRONG");
  return failures != 0;
}
