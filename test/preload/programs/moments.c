// SPDX-License-Identifier: MIT
// Collectives at moments at which MPI calls the program back. usage: moments MOMENT WHAT
// WHAT says what happens there for the first time: any call, calls on a duplicate, reductions after a barrier, a
// derived type, long messages, nonblocking calls.
#include "check.h"

static MPI_Comm other;  // a duplicate on which nothing was called before
static const char* what;
static int times;

static int is(const char* word) { return strcmp(what, word) == 0; }

static void nonblocking_sum(MPI_Comm comm) {
  expect(try_on(&small_sums, nonblocking_form, allreduce, 1, 0, 0, comm) == right_result, "nonblocking sum");
}

static void broadcast_pairs(void) {
  MPI_Datatype pair;
  int pairs[4] = {rank, rank + 1, rank + 2, rank + 3};
  MPI_Type_vector(2, 1, 2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  MPI_Bcast(pairs, 1, pair, 0, MPI_COMM_WORLD);
  MPI_Type_free(&pair);
  expect(pairs[0] == 0 && pairs[2] == 2 && pairs[1] == rank + 1, "derived type");
}

static void at_the_moment(void) {
  if (++times > 1) return;  // the moment may come once for each communicator
  if (is("type")) broadcast_pairs();
  for (int i = 0; i < 6; ++i) {
    MPI_Comm comm = is("duplicate") ? other : MPI_COMM_WORLD;
    if (is("nonblocking")) nonblocking_sum(i % 2 ? comm : other);
    expect(all_are_right(is("long") ? 40000 : 3 + i, i % size, comm), "collectives");
  }
}

static int on_copy(MPI_Comm comm, int key, void* extra, void* in, void* out, int* keep) {
  (void)comm, (void)key, (void)extra, (void)in, (void)out;
  *keep = 0;
  at_the_moment();
  return MPI_SUCCESS;
}

static int on_delete(MPI_Comm comm, int key, void* attribute, void* extra) {
  (void)comm, (void)key, (void)attribute, (void)extra;
  at_the_moment();
  return MPI_SUCCESS;
}

static void on_error(MPI_Comm* comm, int* code, ...) {
  (void)comm, (void)code;
  at_the_moment();
}

static void on_elements(void* in, void* inout, int* n, MPI_Datatype* type) {
  (void)in, (void)inout, (void)n, (void)type;
  at_the_moment();
}

static int on_query(void* state, MPI_Status* status) {
  (void)state;
  MPI_Status_set_elements(status, MPI_BYTE, 0);
  MPI_Status_set_cancelled(status, 0);
  at_the_moment();
  return MPI_SUCCESS;
}
static int on_free(void* state) { return (void)state, MPI_SUCCESS; }
static int on_cancel(void* state, int complete) { return (void)state, (void)complete, MPI_SUCCESS; }

static void set_attribute(MPI_Comm comm) {
  int key;
  MPI_Comm_create_keyval(on_copy, on_delete, &key, NULL);
  MPI_Comm_set_attr(comm, key, NULL);
}

/// Brings the moment about, unless MPI_Finalize does.
static void bring_about(const char* moment) {
  MPI_Comm comm;
  int x = 0, y = 0;
  if (strcmp(moment, "copy") == 0) set_attribute(MPI_COMM_WORLD);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  if (strcmp(moment, "delete") == 0) set_attribute(comm);
  if (strcmp(moment, "handler") == 0) {
    MPI_Errhandler handler;
    MPI_Comm_create_errhandler(on_error, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Errhandler_free(&handler);
    MPI_Comm_call_errhandler(comm, MPI_ERR_OTHER);
  }
  if (strcmp(moment, "operator") == 0) {
    MPI_Op op;
    MPI_Op_create(on_elements, 1, &op);
    MPI_Reduce_local(&x, &y, 1, MPI_INT, op);
    MPI_Op_free(&op);
  }
  if (strcmp(moment, "request") == 0) {
    MPI_Request request;
    MPI_Grequest_start(on_query, on_free, on_cancel, NULL, &request);
    MPI_Grequest_complete(request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Comm_free(&comm);
  if (strncmp(moment, "finalize", 8) == 0) set_attribute(MPI_COMM_SELF);
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  if (argc != 3) return 2;
  what = argv[2];
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  if (strcmp(argv[1], "finalize-before") == 0) set_attribute(MPI_COMM_SELF);
  if (!is("call")) MPI_Barrier(MPI_COMM_WORLD);
  if (strcmp(argv[1], "finalize-before") != 0) bring_about(argv[1]);
  MPI_Finalize();
  if (rank == 0) printf("%d\n", times > 0);
  return failures != 0;
}
