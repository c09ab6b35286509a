// SPDX-License-Identifier: MIT
// Communicators that come and go, of which handles come again, and between groups: `communicators SCENE`.
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"

static int copies, deletions;

static int on_copy(MPI_Comm comm, int keyval, void* extra, void* in, void* out, int* keep) {
  (void)comm, (void)keyval, (void)extra;
  ++copies;
  *(void**)out = in;
  *keep = 1;
  return MPI_SUCCESS;
}

static int on_delete(MPI_Comm comm, int keyval, void* attribute, void* extra) {
  (void)comm, (void)keyval, (void)attribute, (void)extra;
  ++deletions;
  return MPI_SUCCESS;
}

/// One duplicate and one reversal, used, then freed in an order that differs between ranks.
static void come_and_go(int i) {
  MPI_Comm comms[2];
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[0]);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comms[1]);
  for (int k = 0; k < 2; ++k) use_up_first_calls(comms[k]);
  for (int k = 0; k < 2; ++k) expect(is_right((i + k) % collective_count, 3, i % size, comms[k]), "collective");
  for (int k = 0; k < 2; ++k) MPI_Comm_free(&comms[(k + rank) % 2]);
}

/// Communicators with the ranks in order and reversed, in turn, under a handle that comes again: first calls, then
/// grafted ones.
static void under_one_handle(void) {
  MPI_Comm first = MPI_COMM_NULL, comm;
  for (int i = 0; i < 6; ++i, MPI_Comm_free(&comm)) {
    MPI_Comm_split(MPI_COMM_WORLD, 0, i % 2 ? -rank : rank, &comm);
    if (i == 0) first = comm;
    expect(comm == first, "this MPI does not use the handle again");
    if (i > 1) use_up_first_calls(comm);
    expect(is_right(scan, 3, 0, comm), "collective");
    expect(is_right(scan, 3, 0, comm), "collective again");
  }
}

/// Many communicators come and go, freed in different orders; the program's attribute callbacks run for its own
/// duplicates only.
SCENE(lifetime) {
  int keyval;
  const int pairs = size == 2 ? 150 : 15;  // with more ranks than cores, making one takes up to 100 ms
  MPI_Comm_create_keyval(on_copy, on_delete, &keyval, NULL);
  MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, NULL);
  for (int i = 0; i < pairs; ++i) come_and_go(i);
  MPI_Comm_delete_attr(MPI_COMM_WORLD, keyval);
  MPI_Comm_free_keyval(&keyval);
  expect(copies == pairs && deletions == pairs + 1, "calls of the attribute callbacks");
  end_section("communicators");
  under_one_handle();
  end_section("under one handle");
}

enum { kinds = 3 };

static void use(MPI_Comm comm, int turn, int calls) {
  for (int i = turn; i < turn + calls; ++i) expect(is_right(i % collective_count, 3, 0, comm), "collective");
}

/// One rank makes a wrong call, which MPI refuses there, before anything is sent.
static void mistake(MPI_Comm comm) {
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  if (rank == size - 1) expect(MPI_Bcast(NULL, 3, MPI_INT64_T, 0, comm) != MPI_SUCCESS, "a null buffer is none");
}

/// `in_turn N CALLS`: N times a duplicate, a split that reverses the ranks, and a duplicate of MPI_COMM_SELF, used
/// CALLS times each and freed; one rank makes a wrong call more than the others. Prints how many communicators a rank
/// could make beside them.
SCENE(in_turn) {
  const int n = atoi(scene_words[0]), calls = atoi(scene_words[1]);
  for (int turn = 0; turn < n; ++turn) {
    MPI_Comm comms[kinds];
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[0]);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comms[1]);
    MPI_Comm_dup(MPI_COMM_SELF, &comms[2]);
    for (int k = 0; k < kinds; ++k) {
      use(comms[k], turn, calls / 2);
      mistake(comms[k]);
      use(comms[k], turn + calls / 2, calls - calls / 2);
    }
    const int left = turn == 0 ? spare_communicators() : 0;
    if (turn == 0 && rank == 0) printf("%d more\n", left);
    for (int k = 0; k < kinds; ++k) MPI_Comm_free(&comms[k]);
  }
  end_section("in turn");
}

/// Wrong arguments of one rank are refused there, before anything is sent. The result buffer is always null. The input
/// is null as well for every other collective, and on ranks without a result.
static void mistakes_of_one_rank(MPI_Comm comm) {
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  const int64_t mine[3] = {1, 2, 3};
  for (enum collective c = 0; c < collective_count; ++c) {
    if (!has_input(c, 0, 0)) continue;  // without data no argument can be wrong
    const int64_t* const input = has_result(c, rank, 0) && c % 2 == 0 ? mine : NULL;
    if (rank == size - 1) expect(call_by(c, input, NULL, 3, 0, MPI_SUM, comm) != MPI_SUCCESS, "a null buffer is none");
    expect(is_right(c, 3, 0, comm), "after a mistake of one rank");
  }
}

/// Elements of no bytes, then ones of two integers: under the same handle on every rank but the last.
static void types_under_one_handle(MPI_Comm comm) {
  MPI_Datatype first = contiguous_type(0, MPI_INT64_T);
  int64_t buffer[6] = {0};
  MPI_Bcast(buffer, 3, first, 0, comm);
  if (rank < size - 1) MPI_Type_free(&first);
  MPI_Datatype second = contiguous_type(2, MPI_INT64_T);
  expect(second != first, "a handle given twice");
  if (rank == 0)
    for (int i = 0; i < 6; ++i) buffer[i] = small(0, i);
  MPI_Bcast(buffer, 3, second, 0, comm);
  for (int i = 0; i < 6; ++i) expect(buffer[i] == small(0, i), "a type under the handle of another");
  MPI_Type_free(&second);
  if (first != MPI_DATATYPE_NULL) MPI_Type_free(&first);
}

/// A communicator of one rank, then one of all: under the same handle on every rank but the last.
static void communicators_under_one_handle(void) {
  MPI_Comm alone;
  MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &alone);
  use_up_first_calls(alone);
  expect(all_are_right(3, 0, alone), "one rank");
  if (rank < size - 1) MPI_Comm_free(&alone);
  MPI_Comm all = grafted_duplicate();
  expect(all_are_right(3, 0, all), "all ranks");
  MPI_Comm_free(&all);
  if (alone != MPI_COMM_NULL) MPI_Comm_free(&alone);
}

/// Calls that stay native on one rank, and then the same ones, by the handles alone, that no longer may: the other
/// ranks would wait for its messages.
SCENE(native_again) {
  MPI_Comm comm;
  skip_under_open_mpi("it crashes on arguments that MPICH refuses");
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  mistakes_of_one_rank(comm);
  end_section("mistakes of one rank at first");
  use_up_first_calls(comm);
  mistakes_of_one_rank(comm);
  end_section("mistakes of one rank");
  types_under_one_handle(comm);
  end_section("types");
  communicators_under_one_handle();
  end_section("communicators");
  MPI_Comm_free(&comm);
}

static int upper;

/// Sends from rank 0 of the lower half to the upper one, then the sum of the upper half back.
static void there_and_back(int n, MPI_Comm inter) {
  const int root = upper ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
  int64_t *data = filled((size_t)n * sizeof *data), *sum = filled((size_t)n * sizeof *sum), *want;
  want = filled((size_t)n * sizeof *want);
  for (int i = 0; i < n; ++i) {
    want[i] = rank == 0 ? 0 : sum[i];
    for (int r = size / 2; rank == 0 && r < size; ++r) want[i] += small(0, i) + r;
    if (rank == 0) data[i] = small(0, i);
  }
  MPI_Bcast(data, n, MPI_INT64_T, root, inter);
  for (int i = 0; upper && i < n; ++i) {
    expect(data[i] == small(0, i), "broadcast to the other half");
    data[i] += rank;
  }
  MPI_Reduce(data, sum, n, MPI_INT64_T, MPI_SUM, root, inter);
  expect_bytes(sum, want, (size_t)n * sizeof *sum, "sum of the other half");
  free(data), free(sum), free(want);
}

/// Intercommunicators between the lower and the upper half of the ranks, and the communicator of both halves
/// merged.
SCENE(intercommunicators) {
  MPI_Comm half, inter, all;
  skip_under_open_mpi("4.1.4 crashes natively");
  upper = rank >= size / 2;
  MPI_Comm_split(MPI_COMM_WORLD, upper, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, upper ? 0 : size / 2, 1, &inter);
  for (int n = 1; n <= 10000; n *= 100) there_and_back(n, inter);
  end_section("between the halves");
  MPI_Intercomm_merge(inter, !upper, &all);
  use_up_first_calls(all);
  expect(all_are_right(9, size - 1, all), "the merged communicator");
  end_section("merged");
  MPI_Comm_free(&all);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
}

/// All ranks but the last gather from it, and it from them. A rank has a count for each rank of the other group, and
/// nobody may read behind them.
SCENE(uneven_groups) {
  enum { calls = 40, each = 2 };
  MPI_Comm part, inter;
  skip_under_open_mpi("4.1.4 crashes natively");
  const int last = rank == size - 1, others = last ? size - 1 : 1;
  MPI_Comm_split(MPI_COMM_WORLD, last, rank, &part);
  MPI_Intercomm_create(part, 0, MPI_COMM_WORLD, last ? 0 : size - 1, 1, &inter);
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  char* const pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(pages + page, page, PROT_NONE);
  int* const counts = (int*)(void*)(pages + page) - others;
  int64_t mine[each] = {rank, -rank}, *theirs = filled((size_t)size * each * sizeof *theirs);
  int* const displs = filled((size_t)size * sizeof *displs);
  for (int i = 0; i < others; ++i) counts[i] = each, displs[i] = each * i;
  for (int call = 0; call < calls; ++call)
    MPI_Allgatherv(mine, each, MPI_INT64_T, theirs, counts, displs, MPI_INT64_T, inter);
  for (int i = 0; i < others; ++i) expect(theirs[each * i] == (last ? i : size - 1), "what the other group has");
  free(theirs), free(displs), munmap(pages, 2 * page);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&part);
  end_section("uneven groups");
}

static MPI_Comm to_free;

static void free_it(MPI_Comm* comm, int* error, ...) {
  (void)comm, (void)error;
  MPI_Comm_free(&to_free);
}

/// An error handler frees the communicator of the call, after more and more calls that were right.
SCENE(freed_by_handler) {
  MPI_Errhandler handler;
  skip_under_open_mpi("it ends the program natively");
  MPI_Comm_create_errhandler(free_it, &handler);
  for (int calls = 0; calls < 30; ++calls) {
    int64_t data[9] = {0};
    MPI_Comm_dup(MPI_COMM_WORLD, &to_free);
    MPI_Comm_set_errhandler(to_free, handler);
    for (int i = 0; i < calls; ++i) expect(is_right(bcast, 3, 0, to_free), "collective");
    const int error = MPI_Bcast(data, rank == 0 ? 9 : 8, MPI_INT64_T, 0, to_free);
    const int freed = to_free == MPI_COMM_NULL, refused = error != MPI_SUCCESS;
    expect(refused == freed || (freed && under_mpich_5()), "the error and its handler");  // it returns MPI_SUCCESS
    if (to_free != MPI_COMM_NULL) MPI_Comm_free(&to_free);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Errhandler_free(&handler);
  end_section("freed by an error handler");
}

#ifndef OPEN_MPI
static void leave_as_it_is(void* in, void* inout, int* count, MPI_Datatype* type) {
  (void)in, (void)inout, (void)count, (void)type;
}

/// A persistent call finds that MPI has no private communicator left for mpigraft. Then all ranks plan calls of its
/// communicator anew, and not only one that has to, because it has freed an operator.
SCENE(none_left) {
  enum { more = 516 };  // than mpigraft takes
  int64_t data[2] = {0};
  MPI_Comm comm, others[more];
  MPI_Request last, requests[more];
  MPI_Datatype pair = contiguous_type(2, MPI_INT64_T);
  MPI_Op op;
  MPI_Op_create(leave_as_it_is, 1, &op);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  for (int i = 0; i < 50; ++i) MPI_Bcast(data, 1, pair, 0, comm);
  for (int i = 0; i < more; ++i) {
    MPI_Comm_dup(MPI_COMM_WORLD, &others[i]);
    MPI_Bcast_init(data, 2, MPI_INT64_T, 0, others[i], MPI_INFO_NULL, &requests[i]);
  }
  MPI_Bcast_init(data, 2, MPI_INT64_T, 0, comm, MPI_INFO_NULL, &last);
  if (rank == 0) MPI_Op_free(&op);
  for (int i = 0; i < 5; ++i) {
    data[1] = rank == 0 ? i : -1;
    MPI_Bcast(data, 1, pair, 0, comm);
    expect(data[1] == i, "broadcast");
  }
  for (int i = 0; i < more; ++i) MPI_Request_free(&requests[i]), MPI_Comm_free(&others[i]);
  if (rank != 0) MPI_Op_free(&op);
  MPI_Request_free(&last);
  MPI_Comm_free(&comm);
  MPI_Type_free(&pair);
  end_section("none left");
}
#endif

int main(int argc, char** argv) { return play_by(argc, argv); }
